/** Compares the table of crates in ARCHITECTURE.md with the manifests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A line for each crate that only one of both has, and for each import that differs. The table names the highest crates that
 * a crate imports, and allows what these import.
 * @param {string} repo
 * @returns {string[]}
 */
export function crateMapFaults(repo) {
  const map = new Map(
    [...readFileSync(join(repo, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| `([\w-]+)` \|.*\| ([^|]*)\|$/gm)].map(
      ([, crate = '', imports = '']) => [crate, [...imports.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)],
    ),
  );
  const crates = readdirSync(join(repo, 'crates')).filter((name) =>
    existsSync(join(repo, 'crates', name, 'Cargo.toml')),
  );
  const faults = [
    ...crates.filter((name) => !map.has(name)).map((name) => `lacks \`${name}\``),
    ...[...map.keys()].filter((name) => !crates.includes(name)).map((name) => `\`${name}\` is none`),
  ];
  for (const name of crates) {
    const imports = map.get(name) ?? [];
    const manifest = readFileSync(join(repo, 'crates', name, 'Cargo.toml'), 'utf8');
    const actual = dependenciesOf(manifest).filter((other) => crates.includes(other));
    const allowed = closure(imports, map);
    faults.push(
      ...imports.filter((other) => !actual.includes(other)).map((other) => `${name} does not import \`${other}\``),
      ...actual.filter((other) => !allowed.has(other)).map((other) => `${name} imports \`${other}\`, too`),
    );
  }
  return faults.map((fault) => `ARCHITECTURE.md, crates: ${fault}`);
}

/**
 * The dependencies of a manifest, also those of some targets only, without those of tests and builds.
 * @param {string} manifest
 */
export function dependenciesOf(manifest) {
  return manifest
    .split(/^(?=\[)/m)
    .filter((section) => /^\[(?:target\..*\.)?dependencies\]/.test(section))
    .flatMap((section) => [...section.matchAll(/^([\w-]+)(?:\.[\w-]+)? *=/gm)].map(([, name = '']) => name));
}

/**
 * @param {readonly string[]} names
 * @param {Map<string, string[]>} map
 */
function closure(names, map) {
  const all = new Set(names);
  for (const name of all) for (const next of map.get(name) ?? []) all.add(next);
  return all;
}
