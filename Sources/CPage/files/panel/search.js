// The field that goes to a town or to coordinates.

import { byId } from "../dom.js";
import { readCoordinates } from "../geodesy.js";

/** Lets the field move the map. */
export function listenForSearch({ client, map, words, toasts, tellProblem }) {
  byId("go").addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = byId("go-text").value.trim();
    if (!name) return;
    const coordinates = readCoordinates(name);
    if (coordinates) return map.fly({ ...coordinates, zoom: 15 });
    try {
      const { items: [town] } = await client.get("towns", { query: name, limit: 1 });
      if (!town) return toasts.show(words.say("go.none"), words.say("go.noneDetail", { name }));
      map.fly({ latitude: town.latitude, longitude: town.longitude, zoom: 12.5 });
      toasts.show(words.say("go.found", { name: town.name, country: town.country }));
    } catch (problem) {
      tellProblem(problem);
    }
  });
}
