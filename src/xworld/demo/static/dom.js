// Making and finding elements, colors for canvases, and numbers for people.

/** An element: `element("button", {type: "button", class: "chip", onclick: go}, "Go")`. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) made.style.setProperty(name, value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const byId = (id) => document.getElementById(id);

const known = new Map();
document.addEventListener("theme", () => known.clear());

/** A color of the style sheet for canvases, resolved for the current theme. */
export function color(name) {
  if (!known.has(name)) {
    const probe = element("i", { class: "probe" });
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    known.set(name, getComputedStyle(probe).color);
    probe.remove();
  }
  return known.get(name);
}

/** Make a canvas as sharp as the screen, and return its context in CSS pixels. */
export function sharpen(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.imageSmoothingQuality = "high";
  return context;
}

export const percent = (share) => (share > 0 && share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %`);

/** Numbers with a real minus sign. */
export const signed = (number, digits = 1) => {
  const text = Math.abs(number).toFixed(digits);
  return Number(text) === 0 ? text : `${number < 0 ? "−" : "+"}${text}`;
};
