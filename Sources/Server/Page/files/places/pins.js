// The look of own places on the map: drops with a flag, unlike the squares of photos.

import { element, icon } from "../dom.js";
import { pinHeight, pinWidth } from "./arrange.js";

/** The look of places and groups of places, for `Pins`. */
export const placeLook = ({ say, kind, number, coordinates }) => ({
  kind: "button.pin.place",
  keyOf: ({ places: [first, ...others], lift }) =>
    JSON.stringify([first.id, first.name, first.kind, others.length, lift]),
  nameOf: ({ places }) => {
    const [first] = places;
    const name = first.name || coordinates(first);
    return places.length > 1 ? say("places.group", { name, count: places.length })
      : say("places.pin", { name, kind: kind(first.kind) });
  },
  faceOf: () => icon("place"),
  partsOf: ({ lift }) => stem(lift),
  badgeOf: ({ places }) => (places.length > 1 ? number(places.length) : null),
  isOf: ({ places }, id) => places.some((place) => place.id === id || place.spot === id),
  reach: [-pinWidth / 2 - 2, -pinHeight - 2, pinWidth / 2 + 2, 4],
});

// The line from a lifted pin down to its position.
function stem(lift) {
  if (!lift) return null;
  const line = element("i.stem");
  line.style.height = `${lift + 2}px`;
  return line;
}
