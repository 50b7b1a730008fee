// Builds explorer/assets from web/src: one script and one style sheet for each page, the licences of
// what is bundled, and the hash of the sources, by which a test sees that the assets are not stale.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const WEB = dirname(fileURLToPath(import.meta.url));
const ASSETS = join(WEB, "..", "explorer", "assets");
const TEST_PARTS = join(WEB, "..", "tests", "support", "explorer");
const PAGES = ["program", "model", "tuning", "live", "widget"];

const result = await build({
  entryPoints: [
    ...PAGES.map((page) => ({ in: join(WEB, "src", page, "main.js"), out: page })),
    { in: join(WEB, "src", "widget", "notebook.js"), out: "notebook" },
  ],
  outdir: ASSETS,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "ascii",
  legalComments: "none",
  metafile: true,
});

/** The packages whose files are in a bundle. */
function bundledPackages(metafile) {
  const names = new Set();
  for (const file of Object.keys(metafile.inputs)) {
    const match = file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/);
    if (match) names.add(match[1]);
  }
  return [...names].sort();
}

/** The name, version and licence text of a package. */
function licence(name) {
  const folder = join(WEB, "node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : about.license;
  return `${name} ${about.version} (${about.license})\n\n${text}\n`;
}

/** The files that decide what is built, in a fixed order. */
function sources(folder = join(WEB, "src")) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sources(path) : [path];
    });
}

/** One hash over names and contents; tests/explorer/test_assets.py computes the same. */
function sourcesHash() {
  const hash = createHash("sha256");
  const own = ["build.mjs", "package.json", "package-lock.json"].map((name) => join(WEB, name));
  for (const path of [...own, ...sources()]) {
    hash.update(`${relative(WEB, path)}\n`);
    hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}

const names = bundledPackages(result.metafile);
writeFileSync(join(ASSETS, "LICENSES.txt"), names.map(licence).join(`\n${"=".repeat(80)}\n\n`));
writeFileSync(join(ASSETS, "sources.sha256"), `${sourcesHash()}\n`);
mkdirSync(TEST_PARTS, { recursive: true });
copyFileSync(join(WEB, "node_modules", "axe-core", "axe.min.js"), join(TEST_PARTS, "axe.min.js"));
for (const [file, { bytes }] of Object.entries(result.metafile.outputs)) {
  console.log(`${relative(process.cwd(), file)}  ${(bytes / 1000).toFixed(0)} kB`);
}
