// Teaching a word: draw an object and name it; the agent is asked about it, and then obeys commands with the word.
import * as api from "./api.js";
import { byId, element, percent } from "./dom.js";
import { lessonReport } from "./lesson.js";
import { STARTERS } from "./starters.js";
import { Studio } from "./studio.js";

const HINT =
  "Draw something new and name it. The agent is only asked about it, “What is in the north?”, and told the answer. " +
  "Nobody ever sends it there; afterwards, you can.";

export class Teach {
  /** Calls `taught(lessons, result, wanted)` when a word was learned; it returns buttons to try it with. */
  constructor(session, about, taught) {
    Object.assign(this, { session, about, taught });
    this.studio = new Studio((name) => (this.word.value = name), (message) => this.#complain(message));
    this.word = element("input", {
      type: "text", id: "teach-word", maxlength: 20, autocomplete: "off", spellcheck: "false", placeholder: "zebra",
      "aria-describedby": "teach-trouble",
    });
    this.word.value = STARTERS[0].name;
    const colors = ["", ...about.words.colors].map((name) => element("option", { value: name }, name || "any"));
    this.color = element("select", { id: "teach-color" }, ...colors);
    this.trouble = element("div", { class: "trouble", id: "teach-trouble", "aria-live": "polite" });
    this.progress = element("div", { class: "lesson", "aria-live": "polite" });
    this.form = this.#form();
    byId("teach").append(this.form, this.progress);
  }

  #form() {
    const submit = (event) => {
      event.preventDefault();
      this.#submit();
    };
    const naming = element("div", { class: "naming" },
      element("label", {}, "Its name", this.word), element("label", {}, "Its color", this.color),
      element("button", { type: "submit", class: "primary" }, "Teach it"), this.trouble);
    return element("form", { class: "teach-form", onsubmit: submit },
      element("p", { class: "quiet" }, HINT),
      element("div", { class: "studio" }, this.studio.sheet, element("div", { class: "kit" }, ...this.studio.kit, naming)));
  }

  #complain(message) {
    this.trouble.replaceChildren(...(message ? [element("p", {}, message)] : []));
  }

  #problem(word) {
    if (!word) return "Give it a name first.";
    if (!/^[a-z]+$/.test(word)) return "A name is one word of letters, such as “zebra”.";
    if (this.studio.isEmpty) return "Draw something first, or start from one of the drawings.";
    return "";
  }

  async #submit() {
    const word = this.word.value.trim().toLowerCase();
    const problem = this.#problem(word);
    this.#complain(problem);
    if (problem) return;
    await this.teach([{ agent: this.session.agent, word, picture: this.studio.picture, color: this.color.value }]);
  }

  /** Teach words one after another, each to the agent that learned the last one; `wanted` is the map to show in the end. */
  async teach(lessons, before = this.session.lessons, wanted = null) {
    this.form.hidden = true;
    try {
      let agent = lessons[0].agent;
      for (const [index, lesson] of lessons.entries()) {
        this.#report(lesson.word, {});
        before = [...before, lesson];
        agent = await this.#lesson({ ...lesson, agent }, before, { last: index === lessons.length - 1, wanted });
      }
    } catch (trouble) {
      if (!(trouble instanceof api.Trouble)) throw trouble;
      this.#again();
      this.#complain(trouble.message);
    }
  }

  async #lesson(lesson, lessons, { last, wanted }) {
    let result = null;
    let tries = [];
    for await (const news of api.teach(lesson)) {
      if (!news.taught) this.#report(lesson.word, news);
      else if (!last) return news.taught.agent; // its tests would only delay the next word
      else {
        if (!result) tries = await this.taught(lessons, news.taught, wanted);
        result = news.taught;
        const more = element("button", { type: "button", onclick: () => this.#another() }, "Teach another word");
        this.progress.replaceChildren(lessonReport(result, this.about, tries), more);
      }
    }
    return result.agent;
  }

  #another() {
    this.#again();
    this.studio.clear();
    this.word.value = "";
    this.word.focus();
  }

  #again() {
    this.progress.replaceChildren();
    this.form.hidden = false;
  }

  #report(word, { progress = 0, questions = 0, accuracy = 0, waiting = null }) {
    const detail = questions
      ? `${questions} questions asked. Of the last ones about the ${word}, ${percent(accuracy)} were answered right.`
      : "The first questions are being asked.";
    const [title, text] = waiting
      ? [`Others are teaching; “${word}” is number ${waiting} in line.`, ""]
      : [`It is learning “${word}” …`, detail];
    this.progress.replaceChildren(element("h3", {}, title),
      element("progress", { max: 1, value: progress, "aria-label": "Progress of the lesson" }),
      element("p", { class: "quiet" }, text));
  }
}
