/** The tables of one trace. */
import { openMs, pageOpenMs } from './measure.mjs';
import { median } from './plan.mjs';
import { short, table } from './report.mjs';

/** @typedef {import('./measure.mjs').Round} Round */
/** @typedef {import('./browser.mjs').BrowserRound} BrowserRound */
/** @typedef {import('./run.mjs').Measured} Measured */

/** @template R @param {readonly R[]} rounds @param {(round: R) => number | undefined} of */
const at = (rounds, of) => median(rounds.map((round) => of(round) ?? Number.NaN));

/**
 * All traces, side by side.
 * @param {readonly Measured[]} all
 */
export function summary(all) {
  const others = [...new Set(all.flatMap((measured) => Object.keys(measured.others)))];
  const rows = all.flatMap(({ name, native, wasm, others: times }) => {
    const file = native[0];
    if (file === undefined) return [];
    const nativeMs = at(native, openMs);
    return [
      [
        name,
        short(file.records),
        short(file.bytes / 1e6),
        short(nativeMs),
        short(file.records / at(native, ({ scanMs }) => scanMs) / 1e3),
        short(file.records / nativeMs / 1e3),
        short(at(native, pageOpenMs) / at(wasm, openMs)),
        ...others.map((other) => short(median(times[other] ?? []) / nativeMs)),
        short((file.heldBytes ?? Number.NaN) / file.records),
        short(file.peakBytes / file.records),
      ],
    ];
  });
  const head = [
    ...['trace', 'events', 'MB', 'open, ms', 'scan, M/s', 'open, M/s', 'wasm, of native'],
    ...others.map((other) => `times ${other}`),
    ...['held, bytes/event', 'peak, bytes/event'],
  ];
  return table(head, rows);
}

/**
 * @param {Measured} measured
 * @returns {string}
 */
export function tables(measured) {
  const file = measured.native[0];
  if (file === undefined) return '';
  const each = (/** @type {number | undefined} */ bytes, /** @type {number} */ events) =>
    short((bytes ?? Number.NaN) / events);
  const parts = [
    `### ${measured.name}\n\n${short(file.records)} events, ${short(file.schedEvents)} of the scheduler; ` +
      `${file.cpus} CPUs; ${short(file.bytes / 1e6)} MB. For each scheduling event ${each(file.heldBytes, file.schedEvents)} ` +
      `bytes are held, ${each(file.peakBytes, file.schedEvents)} at the peak while opening, ` +
      `${each(file.storedBytes, file.schedEvents)} in the stored model.`,
    openTable(measured, file),
    answerTable(measured),
  ];
  if (measured.browser.length > 0) parts.push(browserTable(measured.browser));
  if (measured.native.some(({ raw }) => raw)) parts.push(rawTable(measured.native, measured.browser));
  if (measured.figures.length > 0) parts.push(figureTable(measured));
  return parts.join('\n\n');
}

/**
 * @param {Measured} measured
 * @param {Round} file
 */
function openTable({ native, wasm, others, report, browser }, file) {
  const nativeMs = at(native, openMs);
  /** @type {(title: string, ms: number, peak?: number) => string[]} */
  const rate = (title, ms, peak) => [
    title,
    short(ms),
    short(file.records / ms / 1e3),
    short(file.bytes / ms / 1e3),
    short(ms / nativeMs),
    peak === undefined ? '' : short(peak / 1e6),
  ];
  /** @type {(title: string, ms: number) => string[]} */
  const stage = (title, ms) => rate(`- ${title}`, ms);
  const rows = [
    rate('native, 1 thread', nativeMs, file.peakBytes),
    stage(
      'scan',
      at(native, ({ scanMs }) => scanMs),
    ),
    stage(
      'scan that keeps what the page does',
      at(native, ({ pageScanMs }) => pageScanMs),
    ),
    stage(
      'build',
      at(native, ({ buildMs }) => buildMs),
    ),
    stage(
      'indexes',
      at(native, ({ indexMs }) => indexMs),
    ),
    rate(
      'native, the stored model',
      at(native, ({ restoreMs }) => restoreMs),
    ),
  ];
  if (wasm.length > 0) {
    rows.push(
      rate('wasm in Node, 1 thread', at(wasm, openMs), wasm[0]?.peakBytes),
      stage(
        'scan',
        at(wasm, ({ scanMs }) => scanMs),
      ),
      stage(
        'build',
        at(wasm, ({ buildMs }) => buildMs),
      ),
      stage(
        'indexes, after the first picture',
        at(wasm, ({ indexMs }) => indexMs),
      ),
    );
  }
  if (browser.length > 0) {
    rows.push(
      rate(
        'Chromium, drop to opened (waiting)',
        at(browser, ({ openedMs }) => openedMs),
      ),
    );
  }
  for (const [name, times] of Object.entries(others)) if (times.length > 0) rows.push(rate(name, median(times)));
  if (report.length > 0) rows.push(rate('corelane report, 1 thread', median(report)));
  return table(['processor time', 'ms', 'M events/s', 'MB/s', 'of native', 'peak MB'], rows);
}

/** @param {Measured} measured */
function answerTable({ native, wasm }) {
  /** @type {(rounds: readonly Round[], index: number, field: 'ms' | 'stepMs' | 'firstMs' | 'firstStepMs') => string} */
  const of = (rounds, index, field) => short(at(rounds, ({ answers }) => answers[index]?.[field]));
  const rows = (native[0]?.answers ?? []).map(({ name }, index) => [
    name,
    of(native, index, 'ms'),
    of(native, index, 'stepMs'),
    of(native, index, 'firstMs'),
    of(native, index, 'firstStepMs'),
    of(wasm, index, 'ms'),
    of(wasm, index, 'stepMs'),
    of(wasm, index, 'firstMs'),
    of(wasm, index, 'firstStepMs'),
  ]);
  const times = ['longest step', 'asked first', 'longest step of that'];
  const head = ['question, ms', 'native', ...times, 'wasm', ...times];
  return table(head, rows);
}

/** @param {readonly BrowserRound[]} browser */
function browserTable(browser) {
  const stages = [
    ['merely reading the file', short(at(browser, ({ readMs }) => readMs))],
    ['metadata', short(at(browser, ({ metadataMs }) => metadataMs))],
    ['first lanes', short(at(browser, ({ firstPreviewMs }) => firstPreviewMs ?? undefined))],
    ['all scanned', short(at(browser, ({ scannedMs }) => scannedMs))],
    ['opened', short(at(browser, ({ openedMs }) => openedMs))],
    ['opened again, from the stored model', short(at(browser, ({ reopenedMs }) => reopenedMs ?? undefined))],
  ];
  const zooms = browser[0]?.queries.map(({ zoom }) => `1/${zoom}`) ?? [];
  /** @type {(title: string, field: 'cellsMs' | 'curveMs' | 'commandsMs') => string[]} */
  const trip = (title, field) => [
    title,
    ...zooms.map((_, zoom) => short(at(browser, ({ queries }) => queries[zoom]?.[field]))),
  ];
  const trips = [trip('cells', 'cellsMs'), trip('curve', 'curveMs'), trip('commands', 'commandsMs')];
  return `${table(['Chromium, from the drop', 'ms'], stages)}\n\n${table(['Chromium, round trip in ms', ...zooms], trips)}`;
}

/**
 * @param {readonly Round[]} native
 * @param {readonly BrowserRound[]} browser
 */
function rawTable(native, browser) {
  const of = (/** @type {keyof import('./measure.mjs').RawTimes} */ field) =>
    short(at(native, ({ raw }) => raw?.[field]));
  const seen = (/** @type {(events: BrowserRound['events']) => number} */ field) =>
    browser.length === 0 ? '' : short(at(browser, ({ events }) => field(events)));
  return table(
    ['raw records', 'native', 'Chromium'],
    [
      ['all merged, ms', of('mergeMs')],
      ['a millisecond from the middle, ms', of('windowMs')],
      ['put in order, ms', of('orderMs')],
      ['bytes that a scan leaves of each', of('indexBytes')],
      ['bytes that the list keeps of each', of('listBytes')],
      ['first rows when the trace is open, ms', '', seen(({ firstRowsMs }) => firstRowsMs)],
      ['a screen of rows anywhere, ms', of('rowsMs'), seen(({ randomRowsMs }) => randomRowsMs.median)],
      ['- 95 of 100 below', '', seen(({ randomRowsMs }) => randomRowsMs.p95)],
      ['filter by name, events/s', of('nameFilterPerS'), seen(({ nameFilterPerS }) => nameFilterPerS)],
      ['filter by task, events/s', of('taskFilterPerS'), seen(({ taskFilterPerS }) => taskFilterPerS)],
      ['search in texts, events/s', of('textSearchPerS'), seen(({ textSearchPerS }) => textSearchPerS)],
    ],
  );
}

/** @param {Measured} measured */
function figureTable({ native, figures }) {
  const nativeMs = at(native, openMs);
  const rows = (figures[0] ?? []).map(({ name, bytes }, figure) => {
    const ms = at(figures, (round) => round[figure]?.ms);
    return [name, short(ms), short(ms / nativeMs), short(bytes / 1e6)];
  });
  return table(['figure timeline', 'ms', 'of native', 'MB'], rows);
}
