// Three panels, of which one is visible. ARIA tabs.
import { byId } from "./dom.js";

export class Tabs {
  /** Calls `shown(name)` when a panel becomes visible. */
  constructor(shown) {
    this.shown = shown;
    this.tabs = [...document.querySelectorAll("[role=tab]")];
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.show(tab.getAttribute("aria-controls")));
      tab.addEventListener("keydown", (event) => this.#key(event, tab));
    }
  }

  show(name) {
    for (const tab of this.tabs) {
      const chosen = tab.getAttribute("aria-controls") === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = !chosen;
    }
    this.shown(name);
  }

  #key(event, tab) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = this.tabs[(this.tabs.indexOf(tab) + step + this.tabs.length) % this.tabs.length];
    this.show(next.getAttribute("aria-controls"));
    next.focus();
  }
}
