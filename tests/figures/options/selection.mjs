// @ts-check
// Options that choose what is shown, and in which colours.

import { compareCurves, compareLanes } from '../exact.mjs';
import { expectedPieces } from '../expected.mjs';
import { compareLegend } from '../legend.mjs';

/**
 * @typedef {import('./index.mjs').Case} Case
 * @typedef {import('../bench.mjs').Bench} Bench
 * @typedef {import('../../derive/numbers.mjs').Selection} Selection
 * @typedef {import('../../derive/tasks.mjs').Run} Run
 */

/** The colour of the page's light theme for tasks that are not the target. */
const BLACK = '#23272e';

/** Names of kernel threads in `forkpipe-8cpu`, as a reader of `trace-cmd report` recognises them. */
const KERNEL_THREADS = /^(?:kworker|ksoftirqd|migration|cpuhp|kcompactd|rcu_|khugepaged|kthreadd)/;

/**
 * A case of one option that selects: the lanes, the curves and the legend show the same selection.
 *
 * @param {string} option
 * @param {string} fixture
 * @param {string[]} args
 * @param {(derived: import('../../derive/numbers.mjs').DerivedTrace) => Selection} select
 * @param {(run: Run) => boolean} [keep]
 * @returns {Case}
 */
function selects(option, fixture, args, select, keep) {
  return {
    name: `option ${option}`,
    test: async (bench) => {
      const { path, derived } = await bench.trace(fixture);
      const selection = select(derived);
      const all = expectedPieces(derived, {}).length;
      const figure = await bench.picture('timeline', path, ...args, '--with', 'running-waiting');
      const count = compareLanes(bench.differences, option, derived, selection, figure.lanes()[0], { keep });
      bench.expect(`${option} leaves something out`, true, 0 < count && count < all);
      if (keep) return;
      compareCurves(bench.differences, option, derived, selection, figure.curves()[0]);
      const alone = await bench.picture('running-waiting', path, ...args);
      compareCurves(bench.differences, `${option} alone`, derived, selection, alone.curves()[0]);
      const named = await bench.picture('timeline', path, ...args, '--color-by', 'command');
      const zero = (args.includes('--after-sleep') && derived.afterSleep) || derived.report.first;
      compareLegend(bench.differences, option, derived, selection, zero, named.legends()[0]);
    },
  };
}

/** @type {Case[]} */
export const selectionCases = [
  selects('--forked', 'forkpipe-8cpu', ['--forked'], () => ({ forked: true })),
  selects('--after-sleep', 'barrier128-after-sleep', ['--after-sleep'], ({ afterSleep = 0 }) => ({ from: afterSleep })),
  selects('--min', 'barrier32-badplace', ['--min', '6.5'], ({ report }) => ({ from: report.first + 6.5e9 })),
  selects('--max', 'barrier32-badplace', ['--max', '2.25'], ({ report }) => ({ to: report.first + 2.25e9 })),
  selects(
    '--min and --max after --after-sleep',
    'barrier128-after-sleep',
    ['--after-sleep', '--min=1', '--max=2.5'],
    (of) => ({
      from: (of.afterSleep ?? 0) + 1e9,
      to: (of.afterSleep ?? 0) + 2.5e9,
    }),
  ),
  selects('--cpu', 'forkpipe-8cpu', ['--cpu', '0,4-6'], () => ({ cpus: [0, 4, 5, 6] })),
  selects('--comm', 'forkpipe-8cpu', ['--comm', 'ls', '--comm', 'rcu_preempt'], () => ({
    comms: ['ls', 'rcu_preempt'],
  })),
  {
    name: 'option --pid',
    test: async (bench) => {
      const { derived } = await bench.trace('forkpipe-8cpu');
      const pids = [...new Set(derived.story.runs.filter(({ comm }) => comm === 'bash').map(({ task }) => task.pid))];
      const args = pids.slice(0, 3).flatMap((pid) => ['--pid', `${pid}`]);
      await selects('--pid', 'forkpipe-8cpu', args, () => ({ pids: pids.slice(0, 3) })).test(bench);
    },
  },
  selects('--movable', 'barrier32-badplace', ['--movable'], () => ({ movable: true })),
  selects(
    '--no-kernel-threads',
    'forkpipe-8cpu',
    ['--no-kernel-threads'],
    () => ({}),
    ({ task }) => [...task.comms].every((comm) => !KERNEL_THREADS.test(comm)),
  ),
  {
    name: 'option --target',
    test: async (bench) => {
      const { path, derived } = await bench.trace('barrier32-badplace');
      const target = await bench.picture('timeline', path, '--target', 'bar');
      const plain = await bench.picture('timeline', path);
      compareLanes(bench.differences, '--target', derived, {}, target.lanes()[0]);
      // The target is coloured as in a figure of all colours; all others are black.
      const colours = new Map(
        plain.lanes()[0].pieces.map(({ kind, pid, comm, fill }) => [`${kind} ${pid} ${comm}`, fill]),
      );
      for (const { kind, pid, comm, fill } of target.lanes()[0].pieces.filter(({ kind }) => kind === 'runs')) {
        const expected = comm?.startsWith('bar') ? colours.get(`${kind} ${pid} ${comm}`) : BLACK;
        bench.expect(`colour of ${comm} ${pid}`, expected, fill);
      }
      // Here the option selects, as in `corelane stats`.
      const curve = await bench.picture('running-waiting', path, '--target', 'bar');
      compareCurves(bench.differences, '--target', derived, { target: 'bar' }, curve.curves()[0]);
    },
  },
  {
    name: 'option --color-by pid',
    test: async (bench) => {
      const { path, derived } = await bench.trace('forkpipe-8cpu');
      const figure = await bench.picture('timeline', path, '--color-by', 'pid');
      compareLanes(bench.differences, 'by pid', derived, {}, figure.lanes()[0]);
      oneColourFor(bench, figure, ({ pid }) => pid ?? '');
      bench.expect('legends', 0, figure.legends().length);
    },
  },
  {
    name: 'option --color-by command',
    test: async (bench) => {
      const { path, derived } = await bench.trace('forkpipe-8cpu');
      const figure = await bench.picture('timeline', path, '--color-by', 'command');
      compareLanes(bench.differences, 'by command', derived, {}, figure.lanes()[0], { by: 'command' });
      oneColourFor(bench, figure, ({ comm }) => comm ?? '');
    },
  },
  {
    name: 'option --color-by parent',
    test: async (bench) => {
      const { path, derived } = await bench.trace('forkpipe-8cpu');
      const figure = await bench.picture('timeline', path, '--color-by', 'parent');
      compareLanes(bench.differences, 'by parent', derived, {}, figure.lanes()[0], { by: 'none' });
      oneColourFor(bench, figure, ({ parent }) => parent ?? '');
      // Which task forked which, from the lines of sched_process_fork; a pid has one generation in this trace.
      const parents = new Map(
        derived.report.events.flatMap(({ kind, pid, next }) => (kind === 'sched_process_fork' ? [[next, pid]] : [])),
      );
      bench.expect(
        'pids that were used twice',
        0,
        derived.story.tasks.filter(({ generation }) => generation > 0).length,
      );
      const runs = new Map(
        derived.story.runs.map(({ cpu, start, task }) => [`${cpu} ${derived.report.origin + BigInt(start)}`, task.pid]),
      );
      /** @type {Map<string, Set<number | undefined>>} */
      const groups = new Map();
      for (const { kind, cpu, start, parent = '' } of figure.lanes()[0].pieces) {
        if (kind !== 'runs' && kind !== 'inferred') continue;
        const pid = runs.get(`${cpu} ${start}`);
        if (!groups.has(parent)) groups.set(parent, new Set());
        groups.get(parent)?.add(parents.get(pid ?? -1));
      }
      for (const [parent, pids] of groups) bench.expect(`parents of "${parent}"`, 1, pids.size);
      const seen = new Set(
        derived.story.runs.filter(({ start, end }) => start < end).map(({ task }) => parents.get(task.pid)),
      );
      bench.expect('groups of siblings', seen.size, groups.size);
    },
  },
  ...['window', 'to-end', 'trace'].map((of) => ({
    name: `option --legend ${of}`,
    /** @param {Bench} bench */
    test: async (bench) => {
      const { path, derived } = await bench.trace('barrier128-after-sleep');
      const zero = derived.afterSleep ?? 0;
      const args = ['--after-sleep', '--min', '3', '--max', '3.2', '--color-by', 'command', '--legend', of];
      const figure = await bench.picture('timeline', path, ...args);
      const [from, to] = [zero + 3e9, zero + 3.2e9];
      const counted = of === 'window' ? { from, to } : of === 'to-end' ? { from: zero, to } : {};
      const [legend] = figure.legends();
      bench.expect('which', of, legend.of);
      compareLegend(bench.differences, of, derived, counted, zero, legend);
      compareLanes(bench.differences, of, derived, { from, to }, figure.lanes()[0], { by: 'command' });
      const headed = figure.said('legend').concat(figure.texts.map(({ text }) => text));
      const head = { window: /3 ?s?–3\.2 s/, 'to-end': /\b0 ?s?–3\.2 s/, trace: /whole trace/i }[of];
      bench.expect(
        `headed by what it counts`,
        true,
        headed.some((text) => head?.test(text)),
      );
    },
  })),
  {
    name: 'option --legend none',
    test: async (bench) => {
      const { path } = await bench.trace('forkpipe-8cpu');
      const figure = await bench.picture('timeline', path, '--color-by', 'command', '--legend', 'none');
      bench.expect('legends', 0, figure.legends().length);
      const other = await bench.picture('timeline', path, '--color-by', 'command');
      bench.expect('legends without the option', 1, other.legends().length);
    },
  },
  {
    name: 'option --highlight',
    test: async (bench) => {
      const { path, derived } = await bench.trace('forkpipe-8cpu');
      const plain = (await bench.picture('timeline', path)).lanes()[0];
      const figure = (await bench.picture('timeline', path, '--highlight', 'ls', '--highlight', 'tr')).lanes()[0];
      compareLanes(bench.differences, '--highlight', derived, {}, figure);
      const fills = new Map(plain.pieces.map(({ kind, pid, comm, fill }) => [`${kind} ${pid} ${comm}`, fill]));
      for (const { kind, pid, comm, fill } of figure.pieces.filter(({ kind }) => kind === 'runs')) {
        const before = fills.get(`${kind} ${pid} ${comm}`) ?? '';
        const stands = comm === 'ls' || comm === 'tr';
        const told = stands ? fill === before : lightness(fill) > lightness(before);
        bench.expect(`${comm} ${pid} ${stands ? 'stands out' : 'is paler'}: ${before} to ${fill}`, true, told);
      }
    },
  },
];

/**
 * Checks that in each class all runs with the same key have the same colour, and that there are more than a few
 * colours.
 *
 * @param {Bench} bench
 * @param {import('../picture.mjs').Picture} figure
 * @param {(piece: import('../picture.mjs').Piece) => string} key
 */
function oneColourFor(bench, figure, key) {
  /** @type {Map<string, Set<string>>} */
  const fills = new Map();
  for (const piece of figure.lanes()[0].pieces.filter(({ kind }) => kind === 'runs')) {
    const known = fills.get(key(piece)) ?? new Set();
    fills.set(key(piece), known.add(piece.fill));
  }
  for (const [who, colours] of fills) bench.expect(`colours of ${who}`, 1, colours.size);
  bench.expect(
    'several colours',
    true,
    new Set([...fills.values()].flatMap((of) => [...of])).size >= Math.min(4, fills.size),
  );
}

/** The sum of the channels. @param {string} fill as in #1a2b3c */
function lightness(fill) {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(fill);
  if (!digits) throw new Error(`${fill} is no colour`);
  return digits.slice(1).reduce((total, channel) => total + Number.parseInt(channel, 16), 0);
}
