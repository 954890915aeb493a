// The years below the map: the photos of each, two sliders to limit them, and the number of photos
// in view.

import { byId, element, redraw, setText } from "../dom.js";

const keySteps = {
  ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5,
  Home: -Infinity, End: Infinity,
};
const settleMilliseconds = 90;

/** The relative height of a year's bar; small numbers stay visible beside large ones. Pure. */
export const barHeight = (count, most) => (count > 0 ? 0.06 + 0.94 * Math.sqrt(count / most) : 0);

/** The region of the years. */
export class Years {
  #words;
  #onChange;
  #onReset;
  #region = byId("years");
  #button = byId("years-range");
  #inView = byId("in-view");
  #track = byId("years-track");
  #bars = byId("years-bars");
  #sliders = [];
  #first = 0;
  #last = 0;
  #settling = 0;

  /**
   * Creates the years; `onChange` is called with the selected `{ from, to }`, each null for no
   * limit, and `onReset` when all photos are to be shown again.
   */
  constructor({ words, onChange, onReset }) {
    this.#words = words;
    this.#onChange = onChange;
    this.#onReset = onReset;
    this.#button.addEventListener("click", () => this.isOpen = !this.isOpen);
  }

  /** Whether the sliders are shown; on a phone they collapse into their button. */
  get isOpen() {
    return this.#button.getAttribute("aria-expanded") === "true";
  }

  set isOpen(isOpen) {
    this.#button.setAttribute("aria-expanded", String(isOpen));
    this.#region.classList.toggle("open", isOpen);
  }

  /** Sets the photos by year, `{ "2008": 12 }`; the selection is kept as far as possible. */
  show(counts) {
    const years = Object.keys(counts).map(Number).sort((a, b) => a - b);
    this.#region.hidden = years.length === 0;
    if (years.length === 0) return;
    const { from, to } = this.#chosen();
    [this.#first, this.#last] = [years[0], years.at(-1)];
    const most = Math.max(...Object.values(counts));
    redraw(this.#bars, ...this.#all().map((year) => {
      const bar = element("i");
      bar.style.height = `${barHeight(counts[year] ?? 0, most) * 100}%`;
      return bar;
    }));
    this.#region.classList.toggle("single", years.length === 1);
    if (this.#sliders.length === 0) this.#makeSliders();
    this.#set(from ?? this.#first, to ?? this.#last);
  }

  /** Shows all photos again. */
  reset() {
    this.choose({});
    this.#onReset();
  }

  /** Selects years without calling `onChange`; null or undefined for no limit. */
  choose({ from, to }) {
    if (this.#sliders.length > 0) this.#set(from ?? this.#first, to ?? this.#last);
  }

  /** Sets the number of photos in view. */
  count(photos) {
    setText(this.#inView, this.#words.say("years.inView", { count: photos }));
  }

  #all() {
    return Array.from({ length: this.#last - this.#first + 1 }, (_, index) => this.#first + index);
  }

  #chosen() {
    const [from, to] = this.#sliders.map(({ value }) => value);
    return {
      from: from > this.#first ? from : null,
      to: to < this.#last ? to : null,
    };
  }

  #makeSliders() {
    this.#sliders = ["years.from", "years.to"].map((name, index) => {
      const thumb = element("div.thumb", {
        role: "slider", tabindex: 0, "aria-label": this.#words.say(name),
      });
      const slider = { thumb, value: 0 };
      thumb.addEventListener("keydown", (event) => {
        const step = keySteps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        this.#move(index, slider.value + step);
      });
      thumb.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        thumb.setPointerCapture(event.pointerId);
        thumb.focus();
      });
      thumb.addEventListener("pointermove", (event) => {
        if (!thumb.hasPointerCapture(event.pointerId)) return;
        const { left, width } = this.#track.getBoundingClientRect();
        const share = (event.clientX - left) / width;
        this.#move(index, Math.round(this.#first + share * (this.#last - this.#first)));
      });
      return slider;
    });
    redraw(this.#track, ...this.#sliders.map(({ thumb }) => thumb));
  }

  #move(index, year) {
    const [from, to] = this.#sliders.map(({ value }) => value);
    if (index === 0) this.#set(Math.min(year, to), to);
    else this.#set(from, Math.max(year, from));
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#onChange(this.#chosen()), settleMilliseconds);
  }

  #set(from, to) {
    const bound = (year) => Math.min(this.#last, Math.max(this.#first, year));
    const span = Math.max(1, this.#last - this.#first);
    [from, to].map(bound).forEach((value, index) => {
      const slider = this.#sliders[index];
      slider.value = value;
      const { thumb } = slider;
      thumb.setAttribute("aria-valuemin", this.#first);
      thumb.setAttribute("aria-valuemax", this.#last);
      thumb.setAttribute("aria-valuenow", value);
      thumb.style.left = `${((value - this.#first) / span) * 100}%`;
    });
    const [first, last] = [bound(from), bound(to)];
    // Years have no digit grouping.
    const values = { from: String(first), to: String(last) };
    this.#button.setAttribute("aria-label", this.#words.say("years.range", values));
    const short = first === last ? values.from : this.#words.say("years.short", values);
    setText(this.#button.firstElementChild, short);
    this.#all().forEach((year, index) => {
      this.#bars.children[index].classList.toggle("off", year < first || year > last);
    });
  }
}
