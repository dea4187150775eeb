// Adds up what a browser loads for the first page (document, entry script with its static imports,
// styles, colour scheme, icon, and the chunks of the route at "/") and fails above the budget.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BUDGET_BYTES = 250 * 1024;
const FIRST_ROUTES = ["src/routes/task-list-page.tsx"];
const dist = new URL("../../dynabench/ui/dist/", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

const files = new Set(["index.html", "colour-scheme.js", "icon.svg"]);
const seen = new Set();
function visit(key) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build has no chunk for ${key}.`);
  if (seen.has(key)) return;
  seen.add(key);
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const imported of chunk.imports ?? []) visit(imported);
}
for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) visit(key);
for (const key of FIRST_ROUTES) visit(key);

let total = 0;
for (const file of files) {
  const bytes = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  total += bytes;
  console.log(`${(bytes / 1024).toFixed(1).padStart(8)} KB  ${file}`);
}
const verdict = total <= BUDGET_BYTES ? "within" : "ABOVE";
console.log(
  `${(total / 1024).toFixed(1).padStart(8)} KB  first page, gzip; ${verdict} the budget of 250 KB`,
);
process.exitCode = total <= BUDGET_BYTES ? 0 : 1;
