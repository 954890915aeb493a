// The page's texts, in the best match for the browser's languages, by default English.

import english from "./en.js";
import { kept } from "../panel/choices.js";
import { speech, unitsOf } from "./speech.js";

/** The supported languages. */
export const languages = ["en", "es"];

/** The first supported language of a list of locales, with its locale. Pure. */
export function chosen(locales) {
  const languageOf = (locale) => locale.toLowerCase().split("-")[0];
  const locale = locales.find((one) => languages.includes(languageOf(one))) ?? "en";
  return { language: languageOf(locale), locale };
}

const locales = globalThis.navigator?.languages ?? [];
const { language, locale } = chosen(locales);
// If the table cannot be loaded, the texts are English.
const table = language === "en" ? english
  : await import(`./${language}.js`).then((words) => words.default, () => english);

/** The units of distances that a choice stands for: `system`, `metric` or `imperial`. */
export const unitsFor = (choice) => (choice === "system" ? unitsOf(locales) : choice);

/** The page's language, with its formatters. */
export const words = Object.assign(speech(table, locale, unitsFor(kept("units"))), { language });
