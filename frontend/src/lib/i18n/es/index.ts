/** Every file of this folder under its name; a file more needs no line here. */
const files = import.meta.glob<object>("./*.json", { eager: true, import: "default" });

export const sentences = Object.fromEntries(
  Object.entries(files).map(([path, file]) => [path.slice(2, -".json".length), file]),
);
