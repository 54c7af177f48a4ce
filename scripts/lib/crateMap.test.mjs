import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { crateMapFaults, dependenciesOf } from './crateMap.mjs';

test('dependencies of a manifest are those of its code', () => {
  const manifest = [
    '[package]\nname = "a"',
    '[dependencies]\nb.workspace = true\nc = { workspace = true, optional = true }\n# d = "1"',
    '[dev-dependencies]\ne = "1"',
    `[target.'cfg(unix)'.dependencies]\nf = "1"`,
    '[features]\ng = []',
  ].join('\n\n');
  expect(dependenciesOf(manifest)).toEqual(['b', 'c', 'f']);
});

test('missing crates and other imports are listed, what imports import is allowed', () => {
  const root = mkdtempSync(join(tmpdir(), 'corelane-crates-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const files = {
    'ARCHITECTURE.md': [
      '| `rows` | rows | |',
      '| `model` | the model | `rows` |',
      '| `query` | questions | `model` |',
      '| `paper` | pages | `rows` |',
      '| `gone` | | |',
    ].join('\n'),
    'crates/rows/Cargo.toml': '[dependencies]\nserde = "1"\n',
    'crates/model/Cargo.toml': '[dependencies]\nrows.workspace = true\n',
    'crates/query/Cargo.toml': '[dependencies]\nmodel.workspace = true\nrows.workspace = true\n',
    'crates/paper/Cargo.toml': '[dependencies]\nmodel.workspace = true\n',
    'crates/figure/Cargo.toml': '[dependencies]\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  expect(crateMapFaults(root)).toEqual([
    'ARCHITECTURE.md, crates: lacks `figure`',
    'ARCHITECTURE.md, crates: `gone` is none',
    'ARCHITECTURE.md, crates: paper does not import `rows`',
    'ARCHITECTURE.md, crates: paper imports `model`, too',
  ]);
});
