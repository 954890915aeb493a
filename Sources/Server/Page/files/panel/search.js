// The search field for own places, towns and coordinates.

import { byId } from "../dom.js";
import { readCoordinates } from "../geodesy.js";

/** Moves the map to the entered name or position. */
export function listenForSearch(page) {
  const { client, map, words, toasts, showError } = page;
  byId("go").addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = byId("go-text").value.trim();
    if (!name) return;
    const coordinates = readCoordinates(name);
    if (coordinates) return map.fly({ ...coordinates, zoom: 15 });
    try {
      const place = await page.places?.named(name);
      if (place) {
        map.fly({ latitude: place.latitude, longitude: place.longitude, zoom: 15 });
        return page.go({ view: "place", id: place.id });
      }
      const { items: [town] } = await client.get("towns", { query: name, limit: 1 });
      if (!town) return toasts.show(words.say("go.none"), words.say("go.noneDetail", { name }));
      map.fly({ latitude: town.latitude, longitude: town.longitude, zoom: 12.5 });
      toasts.show(words.say("go.found", { name: town.name, country: town.country }));
    } catch (problem) {
      showError(problem);
    }
  });
}
