// Sets the colour scheme before the first paint, from outside the document: the content security
// policy allows no inline script. The key is the one that src/components/ui/theme.ts stores under.
(() => {
  let chosen = null;
  try {
    chosen = window.localStorage.getItem("dynabench-colour-scheme");
  } catch {
    // Storage may be closed to us; the system's choice is good enough.
  }
  const isDark =
    chosen === "dark" ||
    (chosen !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
})();
