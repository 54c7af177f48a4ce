// @ts-check
// Task lanes, the wakeup extract and the bars of run times.

import { deriveStates } from '../../derive/states.mjs';
import { compareTimes } from '../axes.mjs';
import { compareLists } from '../exact.mjs';
import { timeOf } from '../picture.mjs';
import { apply, box, inherited, matrixOf, ofClass, outlines, texts } from '../svg.mjs';
import { seconds } from './layout.mjs';

/**
 * @typedef {import('./index.mjs').Case} Case
 * @typedef {import('../bench.mjs').Bench} Bench
 */

/**
 * The states of all tasks that ever had the name, or have the pid.
 *
 * @param {Bench} bench
 * @param {string} fixture
 * @param {string[]} args
 * @param {(task: {pid: number, comms: Set<string>}) => boolean} wanted
 */
async function compareTasks(bench, fixture, args, wanted) {
  const { derived, path } = await bench.trace(fixture);
  const { origin } = derived.report;
  const figure = await bench.picture('timeline', path, '--with', 'tasks', ...args);
  const [from, to] = [0.2, 0.9].map((at) => derived.report.first + at * 1e9);
  const zoom = await bench.picture('timeline', path, '--with', 'tasks', ...args, '--min', '0.2', '--max', '0.9');
  const known = new Map(derived.story.tasks.map((task) => [`${task.pid}#${task.generation}`, task]));
  const tasks = deriveStates(derived.report, derived.letters).filter(({ pid, generation }) => {
    const task = known.get(`${pid}#${generation}`);
    return task !== undefined && wanted(task);
  });
  bench.expect('some tasks', true, tasks.length > 0);
  for (const { drawn, first, last } of [
    { drawn: figure, first: derived.report.first, last: derived.report.last },
    { drawn: zoom, first: from, last: to },
  ]) {
    const expected = tasks.flatMap(({ pid, generation, rows }) =>
      rows
        .map(({ start, end, ...row }) => ({ ...row, start: Math.max(first, start), end: Math.min(last, end) }))
        // Tasks that are not alive are not drawn.
        .filter(({ start, end, state }) => start < end && !['unborn', 'dead', 'new'].includes(state))
        .map(
          ({ start, end, state }) => `${pid}#${generation} ${state} ${origin + BigInt(start)}-${origin + BigInt(end)}`,
        ),
    );
    const actual = ofClass(drawn.root, 'task-lane').flatMap((lane) => {
      const { precision, at } = timeOf(lane);
      bench.expect('exact', 1, precision);
      const who = `${inherited(lane, 'data-pid')}#${inherited(lane, 'data-generation')}`;
      return [...outlines(lane)].flatMap(({ element, outline }) => {
        const state = /^(?:state-)?(\w+)$/.exec(inherited(element, 'class') ?? '')?.[1];
        // Edges are the upper ends of the rectangles to which they belong.
        if (state === undefined || ['edge', 'ticks', 'stripes'].includes(state)) return [];
        const { left, right } = box(outline);
        return [`${who} ${state} ${at(left)}-${at(right)}`];
      });
    });
    compareLists(bench.differences, args.join(' '), expected, actual);
  }
}

/** @type {Case[]} */
export const kindCases = [
  {
    name: 'option --task, by command and by PID',
    test: async (bench) => {
      await compareTasks(bench, 'forkpipe-8cpu', ['--task', 'ls'], ({ comms }) => comms.has('ls'));
      await compareTasks(
        bench,
        'forkpipe-8cpu',
        ['--task', '15', '--task', 'seq'],
        ({ pid, comms }) => pid === 15 || comms.has('seq'),
      );
    },
  },
  {
    name: 'wakeup',
    test: async (bench) => {
      const { derived, path } = await bench.trace('barrier32-badplace');
      const { origin } = derived.report;
      // A wakeup that placed a task elsewhere than it last ran, made by a task on a third CPU.
      const found = derived.story.latencies.find(
        ({ run, wakeup: { previous, chosen, wakerCpu } }) =>
          previous !== undefined &&
          run.start < run.end &&
          chosen === run.cpu &&
          new Set([previous, chosen, wakerCpu]).size === 3,
      );
      if (!found) throw new Error('no such wakeup');
      const { run, wakeup } = found;
      const at = seconds(origin + BigInt(run.start));
      const figure = await bench.picture('wakeup', path, '--cpu', `${run.cpu}`, '--at', at);
      const [lanes] = figure.lanes();
      const cpus = [wakeup.previous, wakeup.chosen, wakeup.wakerCpu].sort((a, b) => (a ?? 0) - (b ?? 0));
      bench.expect(
        'CPUs that took part',
        cpus,
        [...lanes.rows].sort((a, b) => a - b),
      );
      const expected = derived.story.runs
        .map(({ cpu, start, end, task, comm }) => ({
          cpu,
          start: origin + BigInt(start),
          end: origin + BigInt(end),
          task,
          comm,
        }))
        .filter(
          ({ cpu, start, end }) => lanes.rows.includes(cpu) && start < lanes.end && lanes.start < end && start < end,
        )
        .map(({ cpu, start, end, task, comm }) => {
          const [from, to] = [start < lanes.start ? lanes.start : start, lanes.end < end ? lanes.end : end];
          return `${cpu} ${from}-${to} ${task.pid} ${comm}`;
        });
      const drawn = lanes.pieces
        .filter(({ kind }) => kind === 'runs' || kind === 'inferred')
        .map(({ cpu, start, end, pid, comm }) => `${cpu} ${start}-${end} ${pid} ${comm}`);
      compareLists(bench.differences, 'runs', expected, drawn);
      const [from, to] = [origin + BigInt(wakeup.at), origin + BigInt(run.start)];
      bench.expect('the wakeup is in it', true, lanes.start <= from && to < lanes.end);
      const data = ['from-cpu', 'from-ns', 'to-cpu', 'to-ns'];
      const arrows = ofClass(figure.root, 'wakeup-arrow').map((group) =>
        data.map((name) => inherited(group, `data-${name}`)),
      );
      bench.expect('the arrow', [`${wakeup.wakerCpu}`, `${from}`, `${run.cpu}`, `${to}`], arrows[0]);
      bench.expect('arrows', 1, arrows.length);
      compareTimes(
        bench.differences,
        'axis',
        timeLabels(figure),
        figure.said('axis-title'),
        lanes,
        origin + BigInt(derived.report.first),
      );
    },
  },
  {
    name: 'run-times with groups',
    test: async (bench) => {
      const names = [
        'barrier128-after-sleep',
        'barrier32-badplace',
        'b510-barrier-8cpu',
        'offline-4cpu',
        'forkpipe-8cpu',
      ];
      const traces = await Promise.all(names.map((name) => bench.trace(name)));
      const groups = ['--group', 'Barriers=barrier', '--group', 'Others=cpu.dat'];
      for (const options of [[], ['--after-sleep'], ['--after-sleep', '--forked']]) {
        const figure = await bench.picture('run-times', ...traces.map(({ path }) => path), ...groups, ...options);
        const expected = traces.map(({ path, derived: { report, story, afterSleep } }) => {
          const zero = (options.includes('--after-sleep') && afterSleep) || report.first;
          const runs = story.runs.filter(
            ({ task, start, end }) => start < end && zero < end && (!options.includes('--forked') || task.forked),
          );
          const last = Math.max(...runs.map(({ end }) => end));
          return { path, ns: last - zero, group: path.includes('barrier') ? 'Barriers' : 'Others' };
        });
        const bars = ofClass(figure.root, 'bar').map((group) => {
          const boxes = [...outlines(group)].map(({ element, outline }) =>
            box(outline.map((point) => apply(matrixOf(element), point))),
          );
          const [{ left, top, bottom }] = boxes;
          const data = (/** @type {string} */ name) => inherited(group, `data-${name}`);
          return { path: data('file'), ns: Number(data('run-ns')), group: data('group'), left, height: bottom - top };
        });
        const line = (
          /** @type {{path: string | undefined, ns: number, group: string | undefined}} */ { path, ns, group },
        ) => `${group} ${path} ${ns}`;
        compareLists(bench.differences, `bars ${options.join(' ')}`, expected.map(line), bars.map(line));
        // Bars are as high as their labels say, and sorted within a group.
        const perNs = bars[0].height / bars[0].ns;
        for (const { path, ns, height } of bars) {
          bench.expect(`height of ${path}`, true, Math.abs(height - ns * perNs) < 0.01 || `${height} of ${ns * perNs}`);
        }
        for (const group of ['Barriers', 'Others']) {
          const own = bars.filter((bar) => bar.group === group).sort((a, b) => a.left - b.left);
          bench.expect(
            `${group} ascend`,
            own.map(({ ns }) => ns).sort((a, b) => a - b),
            own.map(({ ns }) => ns),
          );
        }
        for (const group of ['Barriers', 'Others']) {
          bench.expect(
            `${group} is named`,
            true,
            figure.texts.some(({ text }) => text.includes(group)),
          );
        }
      }
    },
  },
];

/** @param {import('../picture.mjs').Picture} figure */
function timeLabels(figure) {
  return ofClass(figure.root, 'time-label').flatMap((group) => texts(group));
}
