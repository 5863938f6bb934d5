// The form for a new map: size, objects, walls, and type of command.
import { element } from "./dom.js";

const numbers = (from, to, step = 1) => Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);
const counts = (list) => list.map((n) => [n, String(n)]);

/** The form; `make` is called on submit, and `options()` are fields of the request. The teacher chooses the rest. */
export function newMapForm({ commands, limits }, make) {
  const [least, most] = limits.size;
  const selects = {
    size: select([...numbers(least, most).map((n) => [n, `${n} × ${n}`]), [`${least}-${most}`, "any"]], most),
    objects: select([["", "2 or 3"], ...counts(numbers(1, limits.objects))]),
    walls: select([["", "some"], ...counts(numbers(0, limits.walls, 2))]),
    command: select([["", "any"], ...commands.map(({ name, title }) => [name, title])]),
  };
  const names = { size: "Size", objects: "Objects", walls: "Walls", command: "For a command to" };
  const form = element("form", { class: "new-map" }, element("h3", {}, "Or start with a new map"),
    element("div", { class: "choices" }, ...Object.entries(selects).map(([name, field]) =>
      element("label", { class: name }, element("span", {}, names[name]), field))),
    element("button", { type: "submit" }, "Make a new map"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    make();
  });
  return { form, options: () => chosenOptions(selects) };
}

function select(items, chosen = "") {
  return element("select", {}, ...items.map(([value, text]) =>
    element("option", { value, selected: value === chosen }, text)));
}

function chosenOptions(selects) {
  const chosen = Object.entries(selects).map(([name, { value }]) => [name, value]).filter(([, value]) => value !== "");
  return Object.fromEntries(chosen.map(([name, value]) => [name, name === "command" ? value : numeric(value)]));
}

const numeric = (value) => (value.includes("-") ? value.split("-").map(Number) : Number(value));
