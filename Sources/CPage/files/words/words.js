// The words of the page: the table that fits the browser's languages best, English otherwise.

import english from "./en.js";
import { speech } from "./speech.js";

/** The languages that have a table. */
export const languages = ["en", "es"];

/** The first of the languages that has a table, with the locale that asked for it. Pure. */
export function chosen(locales) {
  const languageOf = (locale) => locale.toLowerCase().split("-")[0];
  const locale = locales.find((one) => languages.includes(languageOf(one))) ?? "en";
  return { language: languageOf(locale), locale };
}

const { language, locale } = chosen(globalThis.navigator?.languages ?? []);
// Without its table the page speaks English rather than nothing.
const table = language === "en" ? english
  : await import(`./${language}.js`).then((words) => words.default, () => english);

/** What the page speaks. */
export const words = { language, ...speech(table, locale) };
