// @ts-check
// Several files, several formats, and whether the same command makes the same bytes.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { compareCurves, compareLanes } from '../exact.mjs';
import { refusal } from '../figure.mjs';
import { compareLegend } from '../legend.mjs';
import { Picture } from '../picture.mjs';

/** @typedef {import('./index.mjs').Case} Case */

const run = promisify(execFile);
const THREE = ['barrier128-after-sleep', 'barrier32-badplace', 'b510-barrier-8cpu'];

/** Commands of all sorts, of files `a.dat` and `b.dat`. */
const COMMANDS = [
  ['timeline', 'a.dat'],
  ['timeline', 'a.dat', 'b.dat', '--with', 'running-waiting', '--after-sleep', '--forked', '--color-by', 'command'],
  ['timeline', 'a.dat', '--dot', '0.15', '--moves', '--min', '1', '--target', 'ba', '--title', 'It\'s <a> "title"'],
  ['timeline', 'a.dat', '--top-down', '--cpu', '0-3,17', '--highlight', 'bash', '--runqueues', '--width', '85'],
  ['timeline', 'a.dat', 'b.dat', '--name', 'first', '--name', 'second', '--columns', '2', '--legend', 'none'],
  ['timeline', 'a.dat', '--with', 'tasks', '--task', 'sleep', '--task', '15', '--color-by', 'parent'],
  ['running-waiting', 'a.dat', 'b.dat', '--movable', '--max', '2.5'],
  [
    'run-times',
    'a.dat',
    'b.dat',
    '--group',
    'x y=a.dat',
    '--group',
    'others=.dat',
    '--after-sleep',
    '--no-kernel-threads',
  ],
];

/**
 * A folder with two traces, in which the program runs.
 *
 * @template T
 * @param {import('../bench.mjs').Bench} bench
 * @param {(made: (args: string[], out: string) => Promise<Buffer>, folder: string) => Promise<T>} use
 */
async function inFolder(bench, use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'corelane-figures-'));
  try {
    for (const [name, fixture] of [
      ['a.dat', 'barrier128-after-sleep'],
      ['b.dat', 'barrier32-badplace'],
    ]) {
      symlinkSync((await bench.trace(fixture)).path, path.join(folder, name));
    }
    // Lets the commands in the figures find the program under its name.
    symlinkSync(bench.binary, path.join(folder, 'corelane'));
    return await use(async (args, out) => {
      await run(bench.binary, ['figure', ...args, '-o', out], { cwd: folder });
      return readFileSync(path.join(folder, out));
    }, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @type {Case[]} */
export const fileCases = [
  {
    name: 'several files on the time scale of the longest',
    test: async (bench) => {
      const traces = await Promise.all(THREE.map((name) => bench.trace(name)));
      const paths = traces.map(({ path }) => path);
      const figure = await bench.picture('timeline', ...paths, '--after-sleep', '--color-by', 'command');
      const panels = figure.panels().filter(({ kind }) => kind === 'timeline');
      bench.expect(
        'panels, in the order of the files',
        paths,
        panels.map(({ file }) => file),
      );
      const scales = new Set();
      const lefts = new Set();
      for (const [index, { element }] of panels.entries()) {
        const { derived } = traces[index];
        const zero = derived.afterSleep ?? derived.report.first;
        const [lanes] = figure.lanes(element);
        compareLanes(bench.differences, THREE[index], derived, { from: zero }, lanes, { by: 'command' });
        const origin = derived.report.origin + BigInt(zero);
        scales.add((lanes.mm(origin + 1_000_000_000n) - lanes.mm(origin)).toFixed(6));
        lefts.add(lanes.mm(origin).toFixed(3));
      }
      bench.expect('one scale', 1, scales.size);
      bench.expect('one left edge', 1, lefts.size);
      // A command has the same colour in every file.
      /** @type {Map<string, Set<string>>} */
      const fills = new Map();
      for (const { kind, comm = '', fill } of figure.lanes().flatMap(({ pieces }) => pieces)) {
        if (kind === 'runs') fills.set(comm, (fills.get(comm) ?? new Set()).add(fill));
      }
      for (const [comm, colours] of fills) bench.expect(`colours of ${comm}`, 1, colours.size);
      const curves = await bench.picture('running-waiting', ...paths, '--forked');
      for (const [index, { element }] of curves.panels().entries()) {
        compareCurves(
          bench.differences,
          THREE[index],
          traces[index].derived,
          { forked: true },
          curves.curves(element)[0],
        );
      }
    },
  },
  {
    name: 'option --columns',
    test: async (bench) => {
      const traces = await Promise.all(THREE.map((name) => bench.trace(name)));
      const figure = await bench.picture('timeline', ...traces.map(({ path }) => path), '--columns', '2');
      const panels = figure.panels().filter(({ kind }) => kind === 'timeline');
      const corners = panels.map(({ element }, index) => {
        const { derived } = traces[index];
        const [lanes] = figure.lanes(element);
        compareLanes(bench.differences, THREE[index], derived, {}, lanes);
        return [lanes.mm(derived.report.origin + BigInt(derived.report.first)), lanes.y(0)];
      });
      const [[x1, y1], [x2, y2], [x3, y3]] = corners;
      bench.expect('the second is beside the first', true, x1 + 10 < x2 && Math.abs(y1 - y2) < 1e-6);
      bench.expect('the third is below the first', true, Math.abs(x1 - x3) < 1e-6 && y1 < y3);
    },
  },
  {
    name: 'option --name',
    test: async (bench) => {
      const traces = await Promise.all(THREE.map((name) => bench.trace(name)));
      const paths = traces.map(({ path }) => path);
      const named = await bench.picture('timeline', ...paths, '--name', 'slow run', '--name', 'fast <run>');
      const names = (/** @type {Picture} */ figure) =>
        figure
          .panels()
          .filter(({ kind }) => kind === 'timeline')
          .map(({ element }) => figure.said('panel-name', element));
      bench.expect('names, then files', [['slow run'], ['fast <run>']], names(named).slice(0, 2));
      bench.expect(
        'the third has its file',
        true,
        names(named)[2].every((name) => name.includes('b510-barrier-8cpu')),
      );
      const one = await bench.picture('timeline', paths[0], '--name', 'only');
      bench.expect('of one file', [['only']], names(one));
    },
  },
  {
    name: 'the legend of each file is its own',
    test: async (bench) => {
      const traces = await Promise.all(THREE.map((name) => bench.trace(name)));
      const figure = await bench.picture('timeline', ...traces.map(({ path }) => path), '--color-by', 'command');
      const legends = figure.panels().flatMap(({ element }) => figure.legends(element));
      bench.expect('legends', true, legends.length > 0);
      if (legends.length !== traces.length) return;
      for (const [index, legend] of legends.entries()) {
        const { derived } = traces[index];
        compareLegend(bench.differences, THREE[index], derived, {}, derived.report.first, legend);
      }
    },
  },
  {
    name: 'the same command makes the same bytes, with one thread and with many',
    test: (bench) =>
      inFolder(bench, async (made) => {
        /** @type {(format: string, commands: string[][], options?: string[]) => Promise<void>} */
        const compare = async (format, commands, options = []) => {
          for (const args of commands) {
            const all = new Set();
            for (const threads of [[], ['--threads', '1'], ['--threads', '5']]) {
              all.add((await made([...args, ...options, ...threads], `figure.${format}`)).toString('latin1'));
            }
            bench.expect(`${args.join(' ')} as ${format}`, 1, all.size);
          }
        };
        await compare('svg', COMMANDS);
        await compare('pdf', COMMANDS);
        await compare('png', COMMANDS.slice(0, 3), ['--dpi', '50']);
      }),
  },
  {
    name: 'the command in the file makes the file again',
    test: (bench) =>
      inFolder(bench, async (made, folder) => {
        for (const args of COMMANDS) {
          const before = (await made(args, 'figure.svg')).toString();
          const command = commandOf(before);
          rmSync(path.join(folder, 'figure.svg'));
          await run('sh', ['-c', command], {
            cwd: folder,
            env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
          });
          const after = readFileSync(path.join(folder, 'figure.svg')).toString();
          bench.expect(`made again: ${command}`, true, before === after);
        }
      }),
  },
  {
    name: 'formats: by the name of the file; PNG as large as --dpi says',
    test: (bench) =>
      inFolder(bench, async (made) => {
        const args = ['timeline', 'a.dat', '--width', '101.6', '--height', '50.8'];
        bench.expect('PDF', '%PDF-', (await made(args, 'figure.pdf')).subarray(0, 5).toString());
        bench.expect('SVG', '<', (await made(args, 'figure.svg')).subarray(0, 1).toString());
        for (const dpi of [undefined, 72]) {
          const png = await made([...args, ...(dpi ? ['--dpi', `${dpi}`] : [])], 'figure.png');
          // IHDR: width and height are at bytes 16 and 20; 101.6 mm are four inches.
          const size = [png.readUInt32BE(16), png.readUInt32BE(20)];
          bench.expect(`pixels at ${dpi ?? 300} dpi`, [4 * (dpi ?? 300), 2 * (dpi ?? 300)], size);
        }
      }),
  },
  {
    name: 'what cannot be drawn is said, with the exit status of its kind',
    test: async (bench) => {
      const { path: trace } = await bench.trace('forkpipe-8cpu');
      for (const [code, ...args] of /** @type {[number, ...string[]][]} */ ([
        [1, 'timeline', '/nowhere.dat'],
        [2, 'timeline'],
        [2, 'pie', trace],
        [2, 'timeline', trace, '--color-by', 'mood'],
        [2, 'timeline', trace, '--min', '-1'],
        [2, 'timeline', trace, '--width', 'wide'],
        [2, 'timeline', trace, '--dot', '0'],
        [2, 'timeline', trace, '--legend', 'some'],
        [1, 'timeline', trace, '--chain', '99@1'],
      ])) {
        const said = await refusal(bench.binary, args);
        bench.expect(`exit status of ${args.join(' ')}`, code, said.code);
        bench.expect(`${args.join(' ')} says why`, true, said.stderr.length > 10 && !said.stderr.includes('panicked'));
      }
    },
  },
];

/** The command that, as a figure says, makes it. @param {string} svg */
function commandOf(svg) {
  const [metadata] = new Picture(svg).root.children.filter(({ name }) => name === 'metadata');
  /** @type {(element: import('../svg.mjs').Element) => import('../svg.mjs').Element[]} */
  const all = (element) => [element, ...element.children.flatMap(all)];
  const found = all(metadata).find(({ name }) => name.split(':').at(-1) === 'command');
  if (!found) throw new Error('no command in the metadata');
  return found.text;
}
