// The meter of the match between the old view and the camera's view.

import { element, setText } from "../dom.js";

const svgNamespace = "http://www.w3.org/2000/svg";
const circumference = 113;

/** A meter from 0 to 100 under a label; `show` takes null if the value is unknown. */
export function meter(label) {
  const number = element("b", {}, "–");
  const ring = document.createElementNS(svgNamespace, "svg");
  ring.setAttribute("viewBox", "0 0 44 44");
  const [, filled] = ["", "filled"].map((name) => {
    const circle = document.createElementNS(svgNamespace, "circle");
    for (const [key, value] of Object.entries({ cx: 22, cy: 22, r: 18, class: name })) {
      circle.setAttribute(key, value);
    }
    ring.append(circle);
    return circle;
  });
  const box = element("div.gauge", {
    role: "meter", "aria-label": label,
    "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 0,
  }, ring, number);
  return {
    box,
    show(score, isGood, unknown) {
      setText(number, score === null ? "?" : String(score));
      box.setAttribute("aria-valuenow", score ?? 0);
      if (score === null) box.setAttribute("aria-valuetext", unknown);
      else box.removeAttribute("aria-valuetext");
      box.classList.toggle("good", isGood);
      filled.style.strokeDashoffset = circumference * (1 - (score ?? 0) / 100);
    },
  };
}
