// @ts-check
// Options that draw what happened between lanes, and how many tasks waited on them.

import { deriveChain, deriveMoves, derivePlacements, Places, placesOf } from '../../derive/queries.mjs';
import { deriveQueues } from '../../derive/queues.mjs';
import { laneOf } from '../axes.mjs';
import { compareLists } from '../exact.mjs';
import { timeOf } from '../picture.mjs';
import { apply, box, inherited, matrixOf, ofClass, outlines } from '../svg.mjs';
import { seconds } from './layout.mjs';

/**
 * @typedef {import('./index.mjs').Case} Case
 * @typedef {import('../bench.mjs').Bench} Bench
 * @typedef {import('../bench.mjs').Subject} Subject
 * @typedef {import('../picture.mjs').Picture} Picture
 * @typedef {import('../../derive/tasks.mjs').Run} Run
 */

/**
 * A sockets' topology for `lscpu -p`: so many CPUs on each socket.
 *
 * @param {number} cpus
 * @param {number} socket
 */
function sockets(cpus, socket) {
  return Array.from({ length: cpus }, (_, cpu) => `${cpu},${cpu},${Math.floor(cpu / socket)},0\n`).join('');
}

/**
 * Wakeups that placed a task on another CPU than the one on which it last ran.
 *
 * @param {Subject} subject
 * @param {import('../../derive/numbers.mjs').Selection} selection
 */
function put({ derived }, selection) {
  const { from = derived.report.first, to = derived.report.last, forked, cpus } = selection;
  return derived.story.latencies.flatMap(({ task, wakeup: { at, previous, chosen } }) =>
    previous !== undefined &&
    chosen !== undefined &&
    previous !== chosen &&
    from <= at &&
    (at < to || to === derived.report.last) &&
    (!forked || task.forked) &&
    (cpus === undefined || cpus.includes(chosen))
      ? [{ at: derived.report.origin + BigInt(at), previous, chosen }]
      : [],
  );
}

/**
 * The × signs, each with its middle on paper.
 *
 * @param {Picture} figure
 */
function crosses(figure) {
  return ofClass(figure.root, 'move').map((group) => {
    const strokes = [...outlines(group)];
    const points = strokes.flatMap(({ element, outline }) => outline.map((point) => apply(matrixOf(element), point)));
    const middle = (/** @type {0 | 1} */ axis) =>
      points.reduce((total, point) => total + point[axis], 0) / points.length;
    const data = (/** @type {string} */ name) => inherited(group, `data-${name}`);
    return {
      strokes: strokes.length,
      x: middle(0),
      y: middle(1),
      reach: data('reach') ?? '',
      cpu: Number(data('cpu')),
      from: data('from-cpu'),
      at: BigInt(data('at-ns') ?? -1),
      last: BigInt(data('last-ns') ?? data('at-ns') ?? -1),
      count: Number(data('count')),
    };
  });
}

/**
 * Checks that each × stands for wakeups at its time on its lane, and that none is missing.
 *
 * @param {Bench} bench
 * @param {Picture} figure
 * @param {ReturnType<typeof put>} expected
 * @param {(from: number, to: number) => string} reach
 */
function compareMoves(bench, figure, expected, reach) {
  const [lanes] = figure.lanes();
  const drawn = crosses(figure);
  bench.expect(
    'wakeups that moved a task',
    expected.length,
    drawn.reduce((total, { count }) => total + count, 0),
  );
  for (const cross of drawn) {
    const { x, y, at, last, cpu, count, strokes } = cross;
    bench.expect('strokes of a ×', 2, strokes);
    const near = Math.abs(x - lanes.mm(at)) < 0.01 && Math.abs(y - laneOf(lanes, cpu).middle) < 0.01;
    bench.expect(`× at ${at} on ${cpu} is there`, true, near || `${x},${y}`);
    const stands = expected.filter(
      (wakeup) =>
        wakeup.chosen === cpu && at <= wakeup.at && wakeup.at <= last && reach(wakeup.previous, cpu) === cross.reach,
    );
    bench.expect(`× at ${at} on ${cpu}: wakeups`, count, stands.length);
    if (count === 1) bench.expect(`× at ${at} on ${cpu} from`, `${stands[0]?.previous}`, cross.from);
  }
}

/** A run that some hops led to, and its chain. @param {Subject} subject */
function longChain({ derived }) {
  const places = placesOf(derived);
  for (const run of derived.story.runs) {
    const chain = deriveChain(derived, places, run, 3);
    if (chain.hops.length === 3 && run.start < run.end) return { run, ...chain };
  }
  throw new Error('no chain of three hops');
}

/**
 * What the arrows of a class say.
 *
 * @param {Picture} figure
 * @param {string} kind
 * @param {string[]} names
 */
function arrows(figure, kind, names) {
  return ofClass(figure.root, kind).map((group) => names.map((name) => inherited(group, `data-${name}`)).join(' '));
}

/** @type {Case[]} */
export const arrowCases = [
  {
    name: 'option --moves',
    test: async (bench) => {
      for (const fixture of ['barrier32-badplace', 'instances-4cpu']) {
        const subject = await bench.trace(fixture);
        const expected = put(subject, {});
        const { counts } = derivePlacements(subject.derived, new Places(subject.derived), {});
        bench.expect('as corelane placement counts them', counts.to_waker + counts.elsewhere, expected.length);
        const figure = await bench.picture('timeline', subject.path, '--moves');
        compareMoves(bench, figure, expected, () => 'unknown');
        bench.expect('none unless asked for', [], crosses(await bench.picture('timeline', subject.path)));
      }
    },
  },
  {
    name: 'option --moves with --socket-order, --forked, --cpu, --min and --max',
    test: async (bench) => {
      const subject = await bench.trace('barrier32-badplace');
      const { first } = subject.derived.report;
      const selection = { forked: true, cpus: [0, 1, 2, 3, 9, 10, 17], from: first + 1e9, to: first + 8e9 };
      const args = ['--forked', '--cpu', '0-3,9-10,17', '--min', '1', '--max', '8', '--socket-order', sockets(32, 8)];
      const figure = await bench.picture('timeline', subject.path, '--moves', ...args);
      const expected = put(subject, selection);
      bench.expect('some', true, expected.length > 0);
      compareMoves(bench, figure, expected, (from, to) => (from >> 3 === to >> 3 ? 'near' : 'far'));
    },
  },
  {
    name: 'options --chain and --hops',
    test: async (bench) => {
      const subject = await bench.trace('clock-tsc2nsec-4cpu');
      const { derived, path } = subject;
      const { origin } = derived.report;
      const { run, hops } = longChain(subject);
      const place = `${run.cpu}@${seconds(origin + BigInt(run.start))}`;
      for (const limit of [1, 3]) {
        const figure = await bench.picture('timeline', path, '--chain', place, '--hops', `${limit}`);
        const names = ['from-cpu', 'from-ns', 'to-cpu', 'to-ns'];
        const line = (/** @type {import('../../derive/tasks.mjs').Latency} */ { since, cpu, run, wakeup }) =>
          [wakeup.wakerCpu, origin + BigInt(since), cpu, origin + BigInt(run.start)].join(' ');
        const back = hops.slice(0, limit).map((hop) => `${line(hop)} back`);
        const forward = derived.story.latencies
          .filter(({ wakeup }) => wakeup.wakerRun === run && wakeup.context === 'task')
          .map((latency) => `${line(latency)} forward`);
        const drawn = arrows(figure, 'chain-arrow', [...names, 'direction']);
        compareLists(bench.differences, `chain of ${limit} hops`, [...back, ...forward], drawn);
      }
    },
  },
  {
    name: 'option --cascade',
    test: async (bench) => {
      const { derived, path } = await bench.trace('barrier128-after-sleep');
      const { origin } = derived.report;
      const moves = deriveMoves(derived, new Places(derived));
      const root = (/** @type {import('../../derive/queries.mjs').Move} */ move) => {
        while (move.by) move = move.by;
        return move;
      };
      const sizes = new Map();
      for (const move of moves) sizes.set(root(move), (sizes.get(root(move)) ?? 0) + 1);
      const [[first, size]] = [...sizes].sort((a, b) => b[1] - a[1]);
      bench.expect('a cascade of some moves', true, size >= 5);
      const cascade = moves.filter((move) => root(move) === first);
      const { run } = cascade[2];
      const figure = await bench.picture(
        'timeline',
        path,
        '--cascade',
        `${run.cpu}@${seconds(origin + BigInt(run.start))}`,
      );
      const expected = cascade.map(({ run, from, decided }, index) =>
        [index + 1, from, origin + BigInt(decided), run.cpu, origin + BigInt(run.start)].join(' '),
      );
      const names = ['number', 'from-cpu', 'from-ns', 'to-cpu', 'to-ns'];
      const seen = expected.filter((line) => line.split(' ')[1] !== '-1');
      compareLists(bench.differences, 'cascade', seen, arrows(figure, 'cascade-arrow', names));
    },
  },
  {
    name: 'option --runqueues',
    test: async (bench) => {
      const { derived, path } = await bench.trace('barrier32-badplace');
      const { origin, first } = derived.report;
      const [from, to] = [first + 3e9, first + 3.5e9];
      const window = ['--min', '3', '--max', '3.5'];
      const figure = await bench.picture('timeline', path, '--runqueues', ...window);
      const [{ rows }] = figure.lanes();
      /** @type {Map<number, {start: number, end: number}[]>} */
      const queued = new Map(rows.map((cpu) => [cpu, []]));
      for (const { cpu = -1, start, end } of deriveQueues(derived.story, derived.report)) {
        queued.get(cpu)?.push({ start: Math.max(from, start), end: Math.min(to, end) });
      }
      const expected = [...queued].flatMap(([cpu, parts]) =>
        depths(parts.filter(({ start, end }) => start < end)).map(({ start, end, depth }) => ({
          cpu,
          start: origin + BigInt(start),
          end: origin + BigInt(end),
          depth,
        })),
      );
      bench.expect('some waited', true, expected.length > 10);
      const line = (/** @type {Queue} */ { cpu, start, end, depth }) => `${cpu} ${start} ${end} ${depth}`;
      compareLists(bench.differences, 'runqueues', expected.map(line), queues(figure).map(line));

      const merged = queues(await bench.picture('timeline', path, '--runqueues', ...window, '--dot', '0.3'));
      bench.expect('fewer where they are merged', true, 0 < merged.length && merged.length < expected.length);
      const overlap = (/** @type {Queue[]} */ all, /** @type {Queue} */ { cpu, start, end }) =>
        all.filter((queue) => queue.cpu === cpu && queue.start < end && start < queue.end);
      for (const column of merged) {
        const most = Math.max(0, ...overlap(expected, column).map(({ depth }) => depth));
        bench.expect(`the most that waited: ${line(column)}`, most, column.depth);
      }
      for (const queue of expected) {
        bench.expect(`is to be seen: ${line(queue)}`, true, overlap(merged, queue).length > 0);
      }
      const without = await bench.picture('timeline', path, ...window);
      bench.expect('none unless asked for', 0, queues(without).length);
    },
  },
];

/** @typedef {{cpu: number, start: bigint, end: bigint, depth: number}} Queue how many wait on a CPU */

/**
 * @param {Picture} figure
 * @returns {Queue[]}
 */
function queues(figure) {
  const [{ rows }] = figure.lanes();
  return ofClass(figure.root, 'runqueue').flatMap((group) => {
    const { at } = timeOf(group);
    return [...outlines(group)].map(({ outline }) => {
      const { left, right, top, bottom } = box(outline);
      return {
        cpu: rows[Math.floor((top + bottom) / 200)],
        start: at(left),
        end: at(right),
        depth: Number(inherited(group, 'data-depth')),
      };
    });
  });
}

/**
 * How many of some periods contain each instant, where any does; neighbours that are alike are joined.
 *
 * @param {{start: number, end: number}[]} parts
 */
function depths(parts) {
  const times = [...new Set(parts.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  /** @type {{start: number, end: number, depth: number}[]} */
  const steps = [];
  for (const [index, start] of times.slice(0, -1).entries()) {
    const depth = parts.filter((part) => part.start <= start && start < part.end).length;
    const last = steps.at(-1);
    if (depth === 0) continue;
    if (last && last.end === start && last.depth === depth) last.end = times[index + 1];
    else steps.push({ start, end: times[index + 1], depth });
  }
  return steps;
}
