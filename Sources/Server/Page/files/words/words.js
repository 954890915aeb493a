// The page's texts, in the best match for the browser's languages, by default English.

import english from "./en.js";
import { speech } from "./speech.js";

/** The supported languages. */
export const languages = ["en", "es"];

/** The first supported language of a list of locales, with its locale. Pure. */
export function chosen(locales) {
  const languageOf = (locale) => locale.toLowerCase().split("-")[0];
  const locale = locales.find((one) => languages.includes(languageOf(one))) ?? "en";
  return { language: languageOf(locale), locale };
}

const { language, locale } = chosen(globalThis.navigator?.languages ?? []);
// If the table cannot be loaded, the texts are English.
const table = language === "en" ? english
  : await import(`./${language}.js`).then((words) => words.default, () => english);

/** The page's language, with its formatters. */
export const words = { language, ...speech(table, locale) };
