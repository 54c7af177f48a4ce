import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, importViolations } from './importRules.mjs';
import { stubMachine } from './stubMachine.mjs';

/** @param {Record<string, string>} files */
function check(files) {
  const { root, addFile } = stubMachine({});
  for (const [path, text] of Object.entries(files)) addFile(`web/${path}`, text);
  return importViolations(join(root, 'web'));
}

test('finds imports of every form', () => {
  const source = [
    "import './styles.css';",
    "import type { Ns } from '../base/units';",
    'import {',
    '  one,',
    '  two,',
    "} from './numbers';",
    "export * from './all';",
    "export { three } from './three';",
    "const late = await import('./late');",
    "const worker = new Worker(new URL('./worker.ts', import.meta.url));",
    "// import { not } from './comment';",
    "/* import { nor } from './this'; */",
    "const text = 'imported from nowhere';",
  ].join('\n');
  expect(importsOf(source)).toEqual(['./styles.css', '../base/units', './numbers', './all', './three', './late']);
});

test('lets imports point down', () => {
  expect(
    check({
      'base/units.ts': '',
      'engine/protocol.ts': "import type { Ns } from '../base/units';",
      'engine/worker.ts': "import { parse } from '../wasm/engine';",
      'state/store.ts': "import type { Cpu } from '../engine/protocol';",
      'timeline/scene.ts': "import { store } from '../state/store';\nimport { device } from '../gl/device';",
      'gl/device.ts': '',
      'page/page.ts': "import type { Scene } from '../timeline/scene';\nimport { store } from '../state/store';",
      'panes/TimelinePane.tsx': "import { useRef } from 'react';\nimport { Page } from '../page/page';",
      'App.tsx': "import { TimelinePane } from './panes/TimelinePane';\nimport './theme.css';",
    }),
  ).toEqual([]);
});

test.each([
  [
    'a layer above',
    { 'gl/device.ts': "import type { ViewState } from '../state/viewState';" },
    'gl must not import state',
  ],
  ['the app', { 'panes/Pane.tsx': "import { App } from '../App';", 'App.tsx': '' }, 'panes must not import app'],
  [
    'React in the frame path',
    { 'timeline/frame.ts': "import { useState } from 'react';" },
    'timeline must not know React',
  ],
  ['React in the page’s logic', { 'page/keys.ts': "import { useEffect } from 'react';" }, 'page must not know React'],
  [
    'a pane in the page’s logic',
    { 'page/keys.ts': "import { GRID } from '../panes/EventsGrid';", 'panes/EventsGrid.tsx': '' },
    'page must not import panes',
  ],
  ['React in the engine', { 'engine/client.ts': "import { useState } from 'react';" }, 'engine must not know React'],
  ['wasm on the page', { 'engine/client.ts': "import init from '../wasm/engine';" }, 'engine must not import wasm'],
  [
    'the inside of the engine',
    { 'panes/Pane.tsx': "import { pool } from '../engine/scanPool';" },
    'panes must not import engine parts',
  ],
  [
    'trace words in components',
    { 'components/Table.tsx': "import type { Cpu } from '../engine/protocol';" },
    'components must not import protocol',
  ],
  ['a late import', { 'base/late.ts': "await import('../state/store');" }, 'base must not import state'],
  ['the outside', { 'base/outside.ts': "import '../../scripts/run.mjs';" }, 'outside web/'],
])('catches an import of %s', (_, files, why) => {
  const violations = check(files);
  expect(violations).toHaveLength(1);
  expect(violations[0]).toContain(why);
});
