// @ts-check
// The findings of `corelane findings`, from the derived story alone: what each kind costs, and in which order they are to be
// listed. Findings about system calls are left out.

import { deriveBehind, deriveStanding } from './behind.mjs';
import { deriveBehindWaits, deriveMoves, derivePlacements } from './queries.mjs';

/**
 * @typedef {import('./numbers.mjs').DerivedTrace} DerivedTrace
 * @typedef {import('./tasks.mjs').Run} Run
 * @typedef {import('./tasks.mjs').TaskStory['waits'][number]} Wait
 * @typedef {{comm: string, start: number, end: number, cost: bigint, slept: bigint}} Gap
 * @typedef {{comm: string, count: number, involuntary: number, cost: number}} Preemptor
 */

/**
 * Periods in which fewer than half as many tasks of a command run as usual, for commands of which at least half a task
 * usually runs: the mean between the command's first and last run. They cost what the command's tasks waited meanwhile, at most
 * what is missing; in the rest of it they slept.
 *
 * @param {DerivedTrace} trace
 * @returns {Gap[]}
 */
export function deriveGaps({ story }) {
  /** @type {Map<string, Run[]>} */
  const byComm = new Map();
  for (const run of story.runs) {
    if (run.start === run.end) continue;
    if (!byComm.has(run.comm)) byComm.set(run.comm, []);
    byComm.get(run.comm)?.push(run);
  }
  /** @type {Map<string, Wait[]>} */
  const waits = new Map();
  for (const wait of story.waits) {
    if (!waits.has(wait.comm)) waits.set(wait.comm, []);
    waits.get(wait.comm)?.push(wait);
  }
  return [...byComm].flatMap(([comm, runs]) => gapsOf(comm, runs, waits.get(comm) ?? []));
}

/** @param {string} comm @param {Run[]} runs @param {Wait[]} waits */
function gapsOf(comm, runs, waits) {
  const first = runs.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const length = runs.reduce((most, { end }) => Math.max(most, end), 0) - first;
  const busy = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  if (length > 2 * busy) return [];
  const changes = runs.flatMap(({ start, end }) => [
    { t: start, by: 1 },
    { t: end, by: -1 },
  ]);
  changes.sort((a, b) => a.t - b.t);
  const begins = [...waits].sort((a, b) => a.start - b.start);
  const waitedBy = areaOf(begins);
  /** @param {number} from @param {number} to */
  const waitedIn = (from, to) => waitedBy(to) - waitedBy(from);
  /** @type {Gap[]} */
  const gaps = [];
  /** @type {{start: number, ran: bigint} | undefined} */
  let gap;
  /** @param {number} end */
  const close = (end) => {
    if (!gap) return;
    const missing = (BigInt(busy) * BigInt(end - gap.start)) / BigInt(length) - gap.ran;
    const waited = BigInt(waitedIn(gap.start, end));
    const cost = waited < missing ? waited : missing;
    gaps.push({ comm, start: gap.start, end, cost, slept: missing - cost });
    gap = undefined;
  };
  let running = 0;
  for (const [index, { t, by }] of changes.entries()) {
    running += by;
    const next = changes[index + 1]?.t;
    if (next === undefined || next === t) continue;
    if (2n * BigInt(running) * BigInt(length) < BigInt(busy)) {
      gap ??= { start: t, ran: 0n };
      gap.ran += BigInt(running) * BigInt(next - t);
    } else close(t);
  }
  close(first + length);
  return gaps;
}

/**
 * The commands that ran next after tasks of others that stayed runnable and are not known to have yielded, and for how long.
 * The threads of one kind of worker (`kworker/3:1`) are one command.
 *
 * @param {DerivedTrace} trace
 * @returns {Preemptor[]}
 */
export function derivePreemptors({ story, report }) {
  /** @type {Run[][]} */
  const byCpu = Array.from({ length: report.cpus }, () => []);
  for (const run of story.runs) byCpu[run.cpu].push(run);
  const command = (/** @type {Run} */ run) => run.comm.split('/')[0];
  /** @type {Map<string, Preemptor>} */
  const found = new Map();
  for (const runs of byCpu) {
    for (const [index, run] of runs.entries()) {
      const next = runs[index + 1];
      if (run.ended !== 'preempted' || next?.start !== run.end || command(next) === command(run)) continue;
      const comm = command(next);
      const { count, involuntary, cost } = found.get(comm) ?? { count: 0, involuntary: 0, cost: 0 };
      let last = next;
      while (last.to) last = last.to;
      const forced = involuntary + (run.letters?.endsWith('+') ? 1 : 0);
      found.set(comm, { comm, count: count + 1, involuntary: forced, cost: cost + last.end - next.start });
    }
  }
  return [...found.values()].filter(({ cost }) => cost > 0);
}

/**
 * The time that some periods have in common with everything up to an instant, together.
 *
 * @param {{start: number, end: number}[]} periods
 * @returns {(t: number) => number}
 */
function areaOf(periods) {
  const starts = new Float64Array(periods.map(({ start }) => start)).sort();
  const ends = new Float64Array(periods.map(({ end }) => end)).sort();
  /** How many values are before t, and t less each of them, together. @param {Float64Array} sorted */
  const before = (sorted) => {
    const sums = new Float64Array(sorted.length + 1);
    for (const [index, value] of sorted.entries()) sums[index + 1] = sums[index] + value;
    return (/** @type {number} */ t) => {
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sorted[middle] < t) low = middle + 1;
        else high = middle;
      }
      return low * t - sums[low];
    };
  };
  const [begun, ended] = [before(starts), before(ends)];
  return (t) => begun(t) - ended(t);
}

/** How many of each kind are compared. */
const TOP = 5000;
/** Lists of these lengths are compared with each other. */
const TOPS = [1, 3, 10, 40];

/**
 * The costs of all findings, by kind: what the first, second, … costs, whether or not it is folded into another.
 *
 * @param {DerivedTrace} trace
 * @param {import('./queries.mjs').Places} places
 * @returns {Map<string, {cost: bigint, run: Run | undefined}[]>}
 */
export function deriveCosts(trace, places) {
  const { story } = trace;
  const runOf = new Map(story.runs.flatMap((run) => (run.wait ? [[`${run.cpu} ${run.start}`, run]] : [])));
  const all = () => true;
  const standing = deriveStanding(trace.lanes, trace.queued, all, all);
  const { stretches } = deriveBehind({ first: trace.report.first, last: trace.report.last }, standing);
  const moves = deriveMoves(trace, places);
  /** @type {Map<import('./queries.mjs').Move, import('./queries.mjs').Move[]>} */
  const cascades = new Map();
  for (const move of moves) {
    let root = move;
    while (root.by) root = root.by;
    if (!cascades.has(root)) cascades.set(root, []);
    cascades.get(root)?.push(move);
  }
  /** @param {Run} run */
  const waited = ({ wait, start }) => (wait ? start - wait.since : 0);
  /** @param {number | bigint} cost @param {Run} [run] */
  const one = (cost, run) => ({ cost: BigInt(cost), run });
  const waits = [...deriveBehindWaits(trace)];
  /** @type {[string, {cost: bigint, run: Run | undefined}[]][]} */
  const kinds = [
    ['overload', stretches.map(({ cost }) => one(cost))],
    ['wait', waits.map(([wait, ns]) => one(ns, runOf.get(`${wait.cpu} ${wait.end}`)))],
    ['gap', deriveGaps(trace).map(({ cost }) => one(cost))],
    ['moved_off_idle', derivePlacements(trace, places, {}).moved.map(({ ns, run }) => one(ns, run))],
    [
      'cascade',
      [...cascades.values()]
        .filter((all) => all.length > 1)
        .map((all) => one(all.reduce((sum, { run }) => sum + waited(run), 0))),
    ],
    ['latency', story.latencies.map(({ ns, run }) => one(ns, run))],
  ];
  for (const [, costs] of kinds) costs.sort((a, b) => (a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0));
  return new Map(kinds.map(([kind, costs]) => [kind, costs.filter(({ cost }) => cost > 0n)]));
}

/**
 * Compares the findings as a whole: whether every cost is one that was derived, whether the costliest of each kind is listed or
 * folded into one about the same run that costs no less, and whether the order is that of the costs, whatever the length of the list.
 *
 * @param {import('./differences.mjs').Differences} differences
 * @param {DerivedTrace} trace
 * @param {import('./queries.mjs').Places} places
 * @param {(top: number) => Promise<any[]>} list
 */
export async function compareFindings(differences, trace, places, list) {
  const origin = trace.report.origin;
  const found = await list(TOP);
  const costs = deriveCosts(trace, places);
  const gaps = deriveGaps(trace).map(({ comm, start, end, cost, slept }) =>
    JSON.stringify([comm, `${origin + BigInt(start)}`, `${origin + BigInt(end)}`, `${cost}`, `${slept}`]),
  );
  const preemptors = derivePreemptors(trace);
  const rows = {
    gap: new Set(gaps),
    preemption: new Set(
      preemptors.map(({ comm, count, involuntary, cost }) => JSON.stringify([comm, count, involuntary, `${cost}`])),
    ),
  };
  const known = new Map([...costs].map(([kind, all]) => [kind, new Set(all.map(({ cost }) => `${cost}`))]));
  for (const { kind, comm, count, cost_ns, start_ns, end_ns, slept_ns, preempted } of found) {
    if (kind === 'gap') {
      const row = JSON.stringify([comm, `${start_ns}`, `${end_ns}`, `${cost_ns}`, `${slept_ns}`]);
      differences.expect(`findings gap ${row}`, true, rows.gap.has(row));
    } else if (kind.endsWith('preemption')) {
      const row = JSON.stringify([comm, count, preempted.involuntary, `${cost_ns}`]);
      differences.expect(`findings preemption ${row}`, true, rows.preemption.has(row));
    } else if (known.has(kind)) {
      differences.expect(`findings ${kind} of ${cost_ns}`, true, known.get(kind)?.has(`${cost_ns}`));
    }
  }
  const taken = found.filter(({ kind }) => kind.endsWith('preemption'));
  differences.expect('findings: commands that preempted', preemptors.length, taken.length);
  // Missing records make some uncertain, and these come last, whatever they cost.
  const certain = found.filter(({ uncertain }) => !uncertain);
  differences.expect('findings: certain ones first', certain, found.slice(0, certain.length));
  for (const of of [certain, found.slice(certain.length)]) {
    const usual = of.filter(({ kind }) => kind === 'preemption');
    const failures = of.filter(({ kind }) => kind !== 'preemption');
    differences.expect('findings: preemptions last', usual, of.slice(failures.length));
    for (const listed of [failures, usual]) {
      const sorted = listed.map(({ cost_ns }) => BigInt(cost_ns)).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
      differences.expect(
        'findings: order of cost',
        sorted.map(String),
        listed.map(({ cost_ns }) => `${cost_ns}`),
      );
    }
  }
  if (found.every(({ uncertain }) => !uncertain)) compareWorst(differences, origin, costs, found);
  await comparePrefixes(differences, list);
}

/**
 * @param {import('./differences.mjs').Differences} differences
 * @param {bigint} origin
 * @param {ReturnType<typeof deriveCosts>} costs
 * @param {any[]} found
 */
function compareWorst(differences, origin, costs, found) {
  for (const [kind, [worst]] of costs) {
    if (!worst) continue;
    const place = worst.run && `${worst.run.cpu} ${origin + BigInt(worst.run.start)}`;
    // Of several that cost the same any may be listed.
    const into = found.find(
      (finding) =>
        BigInt(finding.cost_ns) >= worst.cost &&
        (finding.kind === kind ||
          // What an overload is folded into is not derived.
          (worst.run ? place === `${finding.run?.cpu} ${finding.run?.start_ns}` : kind === 'overload')),
    );
    differences.expect(`findings: costliest ${kind} of ${worst.cost}`, true, into !== undefined);
  }
  const most = [...costs.values()].reduce((most, [worst]) => (worst && worst.cost > most ? worst.cost : most), 0n);
  const first = found.find(({ kind }) => costs.has(kind));
  differences.expect('findings: cost of the first', `${most}`, `${first?.cost_ns ?? 0}`);
}

/**
 * @param {import('./differences.mjs').Differences} differences
 * @param {(top: number) => Promise<any[]>} list
 */
async function comparePrefixes(differences, list) {
  /** @type {any[]} */
  let shorter = [];
  for (const [index, top] of TOPS.entries()) {
    const longer = await list(top);
    for (const kind of new Set(shorter.map((row) => row.kind))) {
      const of = (/** @type {any[]} */ all) => all.filter((row) => row.kind === kind);
      const beginning = of(longer).slice(0, of(shorter).length);
      differences.expect(`findings of kind ${kind} at --top ${TOPS[index - 1]}`, beginning, of(shorter));
    }
    shorter = longer;
  }
}
