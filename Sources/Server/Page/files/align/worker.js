// Aligns pictures in a worker, so that the camera's video is not delayed.
//
// Messages are `{ id, view, picture, isTracking }`. `view` names a view, which is sent once, as `{
// name, picture }`. Each message is answered with `{ id, found }`.

import { Aligner } from "./aligner.js";

const aligners = new Map();

onmessage = ({ data: { id, view, picture, isTracking } }) => {
  if (view.picture) {
    aligners.set(view.name, new Aligner(view.picture));
  }
  const found = picture ? aligners.get(view.name)?.align(picture, { isTracking }) : null;
  postMessage({ id, found });
};
