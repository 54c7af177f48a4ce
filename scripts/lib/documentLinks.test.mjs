import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { anchorsOf, brokenPointers, linksOf } from './documentLinks.mjs';

/** @param {Record<string, string>} files */
function repository(files) {
  const root = mkdtempSync(join(tmpdir(), 'corelane-documents-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test('anchors are those of GitHub', () => {
  const text = '# STaKTAU’s texts\n## `--json`, and *more*\n## Twice\n## Twice\n## Ideas… [here](x.md)\n';
  expect([...anchorsOf(text)]).toEqual(['staktaus-texts', '--json-and-more', 'twice', 'twice-1', 'ideas-here']);
});

test('links of code and of other sites are none', () => {
  expect(linksOf('[a](a.md#b) ![p](p.png) [w](https://example.org)\n\n    [c](c.md)\n\n```\n[d](d.md)\n```\n')).toEqual(
    ['a.md#b', 'p.png'],
  );
});

test('files, headings, paths and names that do not exist are listed', () => {
  const root = repository({
    'README.md': '# Top\n[a](docs/a.md) [b](docs/b.md) [c](docs/a.md#there) [d](docs/a.md#gone) [e](#top) [f](#down)\n',
    'docs/a.md': '# There\n`not/a/path.rs` is of no interest here\n',
    'ARCHITECTURE.md':
      '`model/lane.rs`, `model/src/{lane,lost}.rs`, `crates/model`, `crates/gone/`, `Lane::each`, `Lane::none`, ' +
      '`takeWindow()`, `take_part`, `trace-cmd`, `crates/NAME`\n\n    `Nothing::at_all` in code\n',
    'crates/model/src/lane.rs':
      '/// docs/a.md#there, docs/a.md#gone, docs/c.md\nstruct Lane; fn each() { takeWindow }\n',
    'node_modules/x/README.md': '[gone](gone.md)\n',
  });
  expect(brokenPointers(root)).toEqual([
    'README.md: no docs/b.md',
    'README.md: no docs/a.md#gone',
    'README.md: no #down',
    'crates/model/src/lane.rs: no docs/a.md#gone',
    'crates/model/src/lane.rs: no docs/c.md',
    'ARCHITECTURE.md: nothing is called `model/src/{lane,lost}.rs`',
    'ARCHITECTURE.md: nothing is called `crates/gone/`',
    'ARCHITECTURE.md: nothing is called `Lane::none`',
    'ARCHITECTURE.md: nothing is called `take_part`',
  ]);
});
