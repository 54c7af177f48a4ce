// @ts-check
// Derives what a figure must show from the independent derivation alone.

import { clip, deriveNumbers, selected } from '../derive/numbers.mjs';

/**
 * @typedef {import('../derive/numbers.mjs').DerivedTrace} DerivedTrace
 * @typedef {import('../derive/numbers.mjs').Selection} Selection
 * @typedef {import('../derive/curves.mjs').Period} Period
 */

/**
 * @typedef {object} Shown a part of a lane that must be seen; times as in the derivation
 * @property {'runs' | 'inferred' | 'unknown'} kind
 * @property {number} cpu
 * @property {number} start
 * @property {number} end
 * @property {number} pid -1 where unknown
 * @property {number} generation
 * @property {string} comm
 */

/**
 * Everything on the lanes except idleness.
 *
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 * @param {(run: import('../derive/tasks.mjs').Run) => boolean} [keep] of the runs of the selection
 * @returns {Shown[]}
 */
export function expectedPieces(trace, selection, keep = () => true) {
  const { window, shows, hasCpu } = selected(trace, selection);
  const runs = trace.story.runs
    .filter((run) => shows(run) && hasCpu(run.cpu) && keep(run))
    .map(({ task, comm, cpu, start, end, inferred }) => {
      const kind = /** @type {Shown['kind']} */ (inferred ? 'inferred' : 'runs');
      return { kind, cpu, start, end, pid: task.pid, generation: task.generation, comm };
    });
  const unknown = trace.lanes.flatMap((lane, cpu) =>
    lane.flatMap(({ kind, start, end }) =>
      kind === 'unknown' && hasCpu(cpu)
        ? [{ kind: /** @type {const} */ ('unknown'), cpu, start, end, pid: -1, generation: 0, comm: '' }]
        : [],
    ),
  );
  return clip([...runs, ...unknown], window).filter(({ start, end }) => start < end);
}

/** @typedef {{start: number, end: number, value: number}[]} Steps */

/**
 * How many tasks ran and how many were runnable; each step is as long as possible, within the window.
 *
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 * @returns {{running: Steps, runnable: Steps, waiting: Steps}}
 */
export function expectedCurves(trace, selection) {
  const { window, shows, hasCpu, hasAllCpus } = selected(trace, selection);
  /** @type {<T extends Period & {task: any, comm: string, cpu: number | undefined}>(all: T[]) => Period[]} */
  const parts = (all) =>
    clip(
      all.filter((part) => shows(part) && hasCpu(part.cpu)),
      window,
    );
  const runs = parts(trace.story.runs);
  // On some CPUs those wait that are on their runqueues.
  const waits = parts(hasAllCpus ? trace.story.waits : trace.queued);
  return {
    running: count(runs, window),
    runnable: count([...runs, ...waits], window),
    waiting: count(waits, window),
  };
}

/**
 * @param {Period[]} periods
 * @param {{first: number, last: number}} window
 */
function count(periods, { first, last }) {
  /** @type {Map<number, number>} */
  const changes = new Map([[first, 0]]);
  for (const { start, end } of periods) {
    changes.set(start, (changes.get(start) ?? 0) + 1);
    changes.set(end, (changes.get(end) ?? 0) - 1);
  }
  const times = [...changes.keys()].sort((a, b) => a - b);
  /** @type {Steps} */
  const steps = [];
  let value = 0;
  for (const [index, start] of times.entries()) {
    value += changes.get(start) ?? 0;
    const end = times[index + 1] ?? last;
    if (start < end) steps.push({ start, end, value });
  }
  return joined(steps);
}

/**
 * Joins steps that do not differ.
 *
 * @template T
 * @param {{start: T, end: T, value: number}[]} steps
 */
export function joined(steps) {
  /** @type {{start: T, end: T, value: number}[]} */
  const all = [];
  for (const step of steps) {
    const last = all.at(-1);
    if (last && last.value === step.value && last.end === step.start) last.end = step.end;
    else all.push({ ...step });
  }
  return all;
}

/**
 * The table of commands, the longest-running first.
 *
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 */
export function expectedCommands(trace, selection) {
  return [...deriveNumbers(trace, selection).commands]
    .map(([comm, { pids, ...numbers }]) => ({ comm, ...numbers, pids: pids.size }))
    .sort((a, b) => b.execution - a.execution || (a.comm < b.comm ? -1 : 1));
}
