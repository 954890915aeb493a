// The words of the page: the table that fits the browser's languages best, English otherwise.

import english from "./en.js";
import spanish from "./es.js";
import { speech } from "./speech.js";

/** The tables, by language. */
export const tables = { en: english, es: spanish };

/** The first of the languages that has a table, with the locale that asked for it. */
export function chosen(locales) {
  const locale = locales.find((one) => one.toLowerCase().split("-")[0] in tables) ?? "en";
  return { language: locale.toLowerCase().split("-")[0], locale };
}

const { language, locale } = chosen(globalThis.navigator?.languages ?? []);

/** What the page speaks. */
export const words = { language, ...speech(tables[language], locale) };
