import { readdirSync } from "node:fs";

import js from "@eslint/js";
import importPlugin from "eslint-plugin-import";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

/** Each folder of src and what it may import besides itself; the folder list is the map. */
const mayImport = {
  app: ["routes", "features", "components", "lib", "api"],
  routes: ["features", "shared", "components", "lib", "api"],
  features: ["shared", "components", "lib", "api"],
  shared: ["components", "lib", "api"],
  components: ["lib", "api"],
  lib: ["api"],
  api: [],
  mocks: ["app", "components", "lib", "api"],
};

const folders = readdirSync("src", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const unplaced = folders.filter((folder) => !(folder in mayImport));
if (unplaced.length > 0) throw new Error(`Place ${unplaced.join(", ")} in eslint.config.js.`);

const layerZones = Object.entries(mayImport).map(([folder, allowed]) => ({
  target: `./src/${folder}/**/!(*.test).{ts,tsx}`,
  from: folders
    .filter((other) => other !== folder && !allowed.includes(other))
    .map((other) => `./src/${other}`),
  message: `${folder} may import only: ${allowed.join(", ") || "nothing"}.`,
}));

const featureZones = readdirSync("src/features", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => ({
    target: `./src/features/${entry.name}`,
    from: "./src/features",
    except: [`./${entry.name}`],
    message: "A feature never imports a feature; a route puts them together.",
  }));

export default tseslint.config(
  { ignores: ["node_modules", "src/api/schema.gen.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
      globals: globals.browser,
    },
    plugins: { import: importPlugin, "react-hooks": reactHooks },
    settings: { "import/resolver": { node: { extensions: [".ts", ".tsx", ".json"] } } },
    rules: {
      ...reactHooks.configs.recommended.rules,
      "import/no-restricted-paths": ["error", { zones: [...layerZones, ...featureZones] }],
      "import/no-unresolved": "off",
      "import/no-default-export": "error",
      "import/order": [
        "error",
        {
          alphabetize: { order: "asc" },
          "newlines-between": "ignore",
          groups: [["builtin", "external"], "parent", ["sibling", "index"]],
        },
      ],
      "max-lines": ["error", 250],
      "max-lines-per-function": ["error", { max: 120, skipBlankLines: true, skipComments: true }],
      "no-console": "error",
      // React's handlers may return promises: a mutation reports its own failure.
      "@typescript-eslint/no-misused-promises": [
        "error",
        { checksVoidReturn: { attributes: false } },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `onClick={() => setOpen(true)}` reads better than a block.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // The router throws its redirects.
      "@typescript-eslint/only-throw-error": "off",
    },
  },
  { files: ["**/*.tsx"], ...jsxA11y.flatConfigs.strict },
  {
    files: ["**/*.test.{ts,tsx}", "src/mocks/**"],
    // A describe block is one function.
    rules: { "max-lines-per-function": "off" },
  },
  { files: ["vite.config.ts"], rules: { "import/no-default-export": "off" } },
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
);
