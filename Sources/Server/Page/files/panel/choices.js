// The person's choices for this page, which the browser stores.

/** The values of each choice; the first one is the default. */
export const choices = {
  look: ["system", "light", "dark"],
  units: ["system", "metric", "imperial"],
  names: ["shown", "hidden"],
  tour: ["new", "seen"],
};

/** The value of a choice. */
export function kept(name) {
  const value = storage()?.getItem(`photospots.${name}`);
  return choices[name].includes(value) ? value : choices[name][0];
}

/** Stores the value of a choice. */
export function keep(name, value) {
  storage()?.setItem(`photospots.${name}`, value);
}

// A browser may block storage.
function storage() {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
