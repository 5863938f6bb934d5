// Light or dark: as the system says, until a person chooses. Loaded before the first paint to avoid a flash.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const stored = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage can be forbidden; the page works without
    }
  };

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);

  const show = () => {
    const button = document.getElementById("theme");
    if (button) {
      button.textContent = isDark() ? "Light" : "Dark";
      button.setAttribute("aria-label", isDark() ? "Switch to light colors" : "Switch to dark colors");
      button.setAttribute("aria-pressed", String(isDark()));
    }
    document.dispatchEvent(new Event("theme"));
  };

  const choose = (name) => {
    root.dataset.theme = name;
    try {
      localStorage.setItem("theme", name);
    } catch {
      // the choice lasts as long as the page
    }
    show();
  };

  if (stored()) root.dataset.theme = stored();
  system.addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => choose(isDark() ? "light" : "dark"));
  });
})();
