// The report of a lesson: the word, commands to try, and whether anything else was lost.
import { element } from "./dom.js";

/** The report of a lesson; test results that are still missing are announced. */
export function lessonReport({ word, picture, seconds, questions, before, after, new_word: fresh }, about, tries) {
  const titles = Object.fromEntries([...about.commands, ...about.questions].map(({ name, title }) => [name, title]));
  const named = (shares) => Object.entries(shares).map(([name, share]) => [titles[name] ?? name, tenth(share), name]);
  return element("div", { class: "report" },
    element("div", { class: "learned" }, element("img", { src: picture, alt: "", class: "learned-picture" }),
      element("div", {},
        element("h3", {}, `It knows the ${word} now`),
        element("p", {}, `${questions} questions, ${seconds.toFixed(1)} s. The word was only ever an answer. Now try:`),
        element("ul", { class: "try" }, ...tries.map((each) => element("li", {}, each))))),
    fresh
      ? table(`Commands with “${word}”`, ["", "obeyed"], named(fresh).map(([title, share]) => [title, share]))
      : element("p", { class: "quiet" }, `Trying commands with “${word}” on other maps …`),
    before
      ? table("What it knew stays as good", ["", "before", "after"],
          named(before).map(([title, share, name]) => [title, share, tenth(after[name])]))
      : element("p", { class: "quiet" }, "Testing what it knew before …"));
}

const tenth = (share) => `${(100 * share).toFixed(1)} %`;

function table(caption, head, rows) {
  const heads = head.map((text) => (text ? element("th", { scope: "col" }, text) : element("td")));
  return element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows.map(([name, ...values]) =>
      element("tr", {}, element("th", { scope: "row" }, name), ...values.map((value) => element("td", {}, value))))));
}
