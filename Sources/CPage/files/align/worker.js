// Aligns pictures beside the page, so that the camera's picture never waits for it.
//
// It is asked by messages `{ id, view, picture, isTracking }`: `view` names a view, which is told
// once, as `{ name, picture }`; each question has an answer `{ id, found }`.

import { Aligner } from "./aligner.js";

const aligners = new Map();

onmessage = ({ data: { id, view, picture, isTracking } }) => {
  if (view.picture) {
    aligners.set(view.name, new Aligner(view.picture));
  }
  const found = picture ? aligners.get(view.name)?.align(picture, { isTracking }) : null;
  postMessage({ id, found });
};
