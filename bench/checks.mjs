/** The bench's assertions: ratios within one run. Bounds are generous; aims are what a quiet machine reaches. */
import { KERNELSHARK, TRACE_CMD } from './contestants.mjs';
import { openMs, pageOpenMs } from './measure.mjs';
import { median, PANES } from './plan.mjs';

/** @typedef {import('./run.mjs').Measured} Measured */
/** @typedef {import('./measure.mjs').Round} Round */
/** @typedef {import('./report.mjs').Check} Check */

/** The least number of events for a meaningful rate: in a small trace, the event formats outweigh the events. */
const MANY = 500_000;
/** Bytes of a file whose reading counts: what is packed is read at once. */
const SLOW_TO_READ = 500e6;

/**
 * @param {readonly Measured[]} measured Each with at least one round.
 * @returns {Check[]}
 */
export function checksOf(measured) {
  return [
    ...measured.filter(({ native }) => (native[0]?.records ?? 0) >= MANY).flatMap(rateChecks),
    ...sizeChecks(measured),
  ];
}

/**
 * @param {Measured} measured
 * @returns {Check[]}
 */
function rateChecks({ name, native, wasm, others, report, figures, browser }) {
  const { bytes = 0, heldBytes, peakBytes, schedEvents, records } = native[0] ?? {};
  const total = (/** @type {readonly Round[]} */ rounds) => median(rounds.map(openMs));
  /** @type {Check[]} */
  const checks = [
    {
      // Wasm also does what only the browser needs: scans pass between instances, and lanes are previewed.
      name: `${name}: rate of wasm, of native that keeps as much`,
      value: median(native.map(pageOpenMs)) / total(wasm),
      aim: 0.6,
      bound: 0.4,
      direction: 'at least',
    },
    {
      // Any other event may hold one byte.
      name: `${name}: bytes for each scheduling event`,
      value: ((heldBytes ?? Number.NaN) - ((records ?? 0) - (schedEvents ?? 0))) / (schedEvents ?? Number.NaN),
      aim: 24,
      bound: 56,
      direction: 'at most',
    },
    {
      name: `${name}: peak while opening, of bytes held`,
      value: (peakBytes ?? Number.NaN) / (heldBytes ?? Number.NaN),
      aim: 2,
      bound: 3,
      direction: 'at most',
    },
  ];
  checks.push(...rawChecks(name, native), ...modelChecks(name, native, wasm));
  checks.push(...paneChecks(name, wasm), ...zoomChecks(name, wasm));
  checks.push(...figureChecks(name, figures, total(native)));
  const kernelShark = others[KERNELSHARK] ?? [];
  if (kernelShark.length > 0) {
    checks.push({
      name: `${name}: rate of native, of ${KERNELSHARK}`,
      value: median(kernelShark) / total(native),
      aim: 5,
      bound: 1,
      direction: 'at least',
    });
  }
  if (browser.length > 0 && SLOW_TO_READ < bytes) {
    checks.push({
      name: `${name}: opening in Chromium, of merely reading the file there`,
      value: median(browser.map(({ openedMs, readMs }) => openedMs / readMs)),
      aim: 1.3,
      bound: 10,
      direction: 'at most',
    });
  }
  const traceCmd = others[TRACE_CMD] ?? [];
  if (traceCmd.length === 0) return checks;
  const rateOf = (/** @type {number} */ ms) => median(traceCmd) / ms;
  return [
    ...checks,
    {
      name: `${name}: rate of native, of trace-cmd report`,
      value: rateOf(total(native)),
      aim: 20,
      bound: 5,
      direction: 'at least',
    },
    {
      name: `${name}: rate of corelane report, of trace-cmd report`,
      value: rateOf(median(report)),
      aim: 5,
      bound: 2.5,
      direction: 'at least',
    },
  ];
}

/**
 * @param {string} name
 * @param {readonly Round[]} native
 * @returns {Check[]}
 */
function rawChecks(name, native) {
  const raw = native.flatMap(({ raw, scanMs, records }) => (raw === undefined ? [] : [{ ...raw, scanMs, records }]));
  if (raw.length === 0) return [];
  return [
    {
      name: `${name}: time of merging all records, of scanning them`,
      value: median(raw.map(({ mergeMs, scanMs }) => mergeMs / scanMs)),
      aim: 0.8,
      bound: 1.6,
      direction: 'at most',
    },
    {
      name: `${name}: time of searching all texts, of scanning`,
      value: median(raw.map(({ textSearchPerS, scanMs, records }) => ((records / textSearchPerS) * 1e3) / scanMs)),
      aim: 4,
      bound: 10,
      direction: 'at most',
    },
    {
      name: `${name}: bytes that a scan leaves of each record`,
      value: median(raw.map(({ indexBytes }) => indexBytes)),
      aim: 4,
      bound: 4.5,
      direction: 'at most',
    },
  ];
}

/** Length of a frame in milliseconds. */
const FRAME = 16;
/** Questions that walk the whole trace. */
const LONG = ['findings', 'latency', 'overload', 'behind', 'cascades', 'waits'];
/** What is said of a run. */
const EXPLAIN = ['wait of a run', 'placement of a run'];
/** Milliseconds in which the cells of each pane are wanted. */
const PANE_MS = [2, 8];
/** What the page asks while somebody pans and zooms, or looks at a table. */
const SCREEN = ['cells', 'task cells', 'depths', 'curve', 'conservation', 'labels', 'commands', 'table', 'statistics'];
/** Of these, what is asked at every zoom: the coarsest zoom has most of the trace in each column. */
const ZOOMED = ['task cells', 'depths', 'curve', 'labels'];
/** Milliseconds that are no more than the noise of a shared machine. */
const NOISE_MS = 1;

/**
 * Building the model costs no more than scanning, and nothing keeps the engine from answering for longer than a frame.
 * @param {string} name
 * @param {readonly Round[]} native
 * @param {readonly Round[]} wasm
 * @returns {Check[]}
 */
function modelChecks(name, native, wasm) {
  const longest = (/** @type {readonly Round[]} */ rounds) =>
    median(
      rounds.map(({ answers }) =>
        Math.max(...answers.filter((of) => LONG.includes(of.name)).map(({ stepMs }) => stepMs)),
      ),
    );
  const explain = (/** @type {Round} */ { answers }) =>
    answers.filter((of) => EXPLAIN.includes(of.name)).reduce((sum, { ms }) => sum + ms, 0);
  return [
    {
      name: `${name}: time of building, of scanning`,
      value: median(native.map(({ scanMs, buildMs }) => buildMs / scanMs)),
      aim: 1.5,
      bound: 3,
      direction: 'at most',
    },
    {
      name: `${name}: time of opening, of reading the stored model`,
      value: median(native.map((round) => openMs(round) / (round.restoreMs ?? Number.NaN))),
      aim: 5,
      bound: 2.5,
      direction: 'at least',
    },
    {
      name: `${name}: longest step of a job, frames`,
      value: longest(native) / FRAME,
      aim: 0.5,
      bound: 1,
      direction: 'at most',
    },
    {
      name: `${name}: longest step of a job in wasm, frames`,
      value: longest(wasm) / FRAME,
      aim: 0.5,
      bound: 1,
      direction: 'at most',
    },
    {
      name: `${name}: longest step of a question of the screen in wasm, frames`,
      value: longestOf(wasm, SCREEN, ({ stepMs }) => stepMs) / FRAME,
      aim: 0.5,
      bound: 1,
      direction: 'at most',
    },
    {
      name: `${name}: longest step of one that is asked first in wasm, frames`,
      value: longestOf(wasm, SCREEN, ({ firstStepMs }) => firstStepMs) / FRAME,
      aim: 0.5,
      bound: 1.5,
      direction: 'at most',
    },
    {
      name: `${name}: explaining 95 of 100 runs, frames`,
      value: median(native.map(explain)) / FRAME,
      aim: 0.1,
      bound: 1,
      direction: 'at most',
    },
  ];
}

/**
 * The cells of a full pane, at the slowest zoom.
 * @param {string} name
 * @param {readonly Round[]} wasm
 * @returns {Check[]}
 */
function paneChecks(name, wasm) {
  return PANES.flatMap(({ lanes, columns }, pane) => {
    const title = `cells ${lanes} x ${columns}`;
    const slowest = wasm.flatMap(({ answers }) => {
      const of = answers.filter((answer) => answer.name.startsWith(`${title},`));
      return of.length === 0 ? [] : [Math.max(...of.map(({ ms }) => ms))];
    });
    const aim = PANE_MS[pane] ?? Number.NaN;
    if (slowest.length === 0) return [];
    return [
      { name: `${name}: ${title} in wasm, ms`, value: median(slowest), aim, bound: 4 * aim, direction: 'at most' },
    ];
  });
}

/**
 * The greatest number of some kinds of questions.
 * @param {readonly Round[]} rounds
 * @param {readonly string[]} kinds How their names begin.
 * @param {(answer: import('./measure.mjs').Answered) => number} number
 */
function longestOf(rounds, kinds, number) {
  return median(
    rounds.map(({ answers }) =>
      Math.max(...answers.filter((of) => kinds.some((kind) => of.name.startsWith(kind))).map(number)),
    ),
  );
}

/**
 * Zoomed out, a question costs little more than zoomed in: each column holds sixteen times, or a thousand times, as much.
 * @param {string} name
 * @param {readonly Round[]} wasm
 * @returns {Check[]}
 */
function zoomChecks(name, wasm) {
  return ZOOMED.flatMap((kind) => {
    const ratios = wasm.flatMap(({ answers }) => {
      const at = (/** @type {string} */ zoom) =>
        answers.find((of) => of.name.startsWith(kind) && of.name.endsWith(`, ${zoom}`))?.ms;
      const [out, middle] = [at('1/1'), at('1/16')];
      return out === undefined || middle === undefined ? [] : [out / Math.max(middle, NOISE_MS)];
    });
    if (ratios.length === 0) return [];
    return [
      { name: `${name}: ${kind} of all, of a 16th`, value: median(ratios), aim: 2, bound: 16, direction: 'at most' },
    ];
  });
}

/** File sizes in bytes that a PDF viewer opens at once and a mail can carry. */
const FIGURE_BYTES = { aim: 4e6, bound: 8e6 };

/**
 * A figure, of the whole trace or of a part, costs about as much as reading the trace, and its file is not too large.
 * @param {string} name
 * @param {Measured['figures']} rounds
 * @param {number} nativeMs of scanning and building
 * @returns {Check[]}
 */
function figureChecks(name, rounds, nativeMs) {
  return (rounds[0] ?? []).flatMap(({ name: figure, bytes }, index) => [
    {
      name: `${name}: time of figure (${figure}), of scanning and building`,
      value: median(rounds.map((round) => round[index]?.ms ?? Number.NaN)) / nativeMs,
      aim: 1.5,
      bound: 2.5,
      direction: 'at most',
    },
    {
      name: `${name}: MB of figure (${figure})`,
      value: bytes / 1e6,
      aim: FIGURE_BYTES.aim / 1e6,
      bound: FIGURE_BYTES.bound / 1e6,
      direction: 'at most',
    },
  ]);
}

/**
 * The cost of a pane's query depends on what the screen can show: per lane it is the same in small and large traces.
 * @param {readonly Measured[]} measured
 * @returns {Check[]}
 */
function sizeChecks(measured) {
  const sorted = [...measured].sort((a, b) => (a.native[0]?.records ?? 0) - (b.native[0]?.records ?? 0));
  const [small, large] = [sorted[0], sorted.at(-1)];
  if (small === undefined || large === undefined || small === large) return [];
  const perLane = (/** @type {Measured} */ { wasm }) => {
    const columns = PANES[0]?.columns;
    const slowest = wasm.map(({ answers }) => {
      const cells = answers.filter((of) => of.name.startsWith('cells') && of.name.includes(` x ${columns},`));
      return Math.max(...cells.map(({ name, ms }) => ms / Number(name.split(' ')[1])));
    });
    return median(slowest);
  };
  return [
    {
      name: `slowest cells query per lane, ${large.name} of ${small.name}`,
      value: perLane(large) / perLane(small),
      aim: 2,
      bound: 8,
      direction: 'at most',
    },
  ];
}

/**
 * A pointer that moves over the lanes draws none of them, renders nothing by React, forces no layout, and makes few objects: the
 * browser's own events and messages, and the texts beside the pointer.
 * @param {string} name
 * @param {import('./frames.mjs').Hovering} hovering
 * @returns {Check[]}
 */
export function hoverChecks(name, { moves, bytes, cells, commits, layouts }) {
  /** What comes from elsewhere meanwhile is once. @type {readonly [string, number][]} */
  const counts = [
    ['lanes redrawn', cells],
    ['commits of React', commits],
    ['forced layouts', layouts],
  ];
  return [
    { name: `${name}: kB allocated for a mouse move`, value: bytes / 1000, aim: 10, bound: 40, direction: 'at most' },
    ...counts.map(([what, count]) => ({
      name: `${name}: ${what} for a mouse move`,
      value: count / moves,
      aim: 0,
      bound: 0.02,
      direction: /** @type {const} */ ('at most'),
    })),
  ];
}
