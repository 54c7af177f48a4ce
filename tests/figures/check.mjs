// @ts-check
// Checks one trace: compares its figures, exact and merged, with what its text says.

import { Batch } from '../derive/corelane.mjs';
import { Differences } from '../derive/differences.mjs';
import { subject } from './bench.mjs';
import { compareCurves, compareLanes } from './exact.mjs';
import { compareLegend } from './legend.mjs';
import { compareMergedCurve, compareMergedLanes } from './merged.mjs';
import { Picture } from './picture.mjs';

/** The most intervals with which a figure is exact, whatever it shows. */
const EXACT = 50_000;

/**
 * @param {string} binary the program under test
 * @param {import('../derive/sources.mjs').Source} source
 */
export async function check(binary, source) {
  const differences = new Differences();
  const { path, derived, dispose } = await subject(source);
  const corelane = new Batch(binary, path);
  const picture = async (/** @type {string[]} */ ...words) =>
    new Picture(await corelane.text('figure', ...words, '-o', '-'));
  try {
    const { first, last } = derived.report;
    const intervals = derived.story.runs.length;
    const zoom = zoomed(derived);
    /** @type {{name: string, args: string[], selection: import('../derive/numbers.mjs').Selection, exact: boolean}[]} */
    const views = [
      { name: 'whole', args: [], selection: {}, exact: intervals <= EXACT },
      { name: 'merged', args: ['--dot', '0.2'], selection: {}, exact: false },
    ];
    if (zoom) views.push({ name: 'zoomed', ...zoom, exact: true });
    let pieces = 0;
    let steps = 0;
    for (const { name, args, selection, exact } of views) {
      const figure = await picture('timeline', ...args, '--with', 'running-waiting');
      const [lanes] = figure.lanes();
      const [curve] = figure.curves();
      const [compareThem, compareIt] = exact ? [compareLanes, compareCurves] : [compareMergedLanes, compareMergedCurve];
      pieces += compareThem(differences, name, derived, selection, lanes);
      steps += compareIt(differences, name, derived, selection, curve);
      const alone = await picture('running-waiting', ...args);
      compareIt(differences, `${name} running-waiting`, derived, selection, alone.curves()[0]);
    }
    const { args, selection } = zoom ?? { args: [], selection: {} };
    for (const of of ['window', 'to-end', 'trace']) {
      const figure = await picture('timeline', ...args, '--color-by', 'command', '--legend', of);
      const counted = of === 'window' ? selection : of === 'to-end' ? { ...selection, from: first } : {};
      const [legend] = figure.legends();
      differences.expect(`legend's kind`, of, legend.of);
      compareLegend(differences, `legend ${of}`, derived, counted, first, legend);
      compareLanes(differences, `by command, legend ${of}`, derived, selection, figure.lanes()[0], { by: 'command' });
    }
    const gaps = derived.lanes.flat().filter(({ kind }) => kind === 'unknown').length;
    const summary = `${intervals} runs, ${gaps} unknown, ${last - first} ns; ${pieces} pieces, ${steps} steps read`;
    return { differences, summary };
  } finally {
    corelane.close();
    dispose();
  }
}

/**
 * A window, from the middle of the trace on, with few runs.
 *
 * @param {import('../derive/numbers.mjs').DerivedTrace} trace
 */
function zoomed({ report: { first, last }, story }) {
  const from = Math.floor((last - first) / 2);
  const share = Math.max(3, Math.ceil(story.runs.length / (EXACT / 2)));
  const to = from + Math.floor((last - first) / 2 / share);
  if (from === to) return undefined;
  const seconds = (/** @type {number} */ ns) => `${Math.floor(ns / 1e9)}.${String(ns % 1e9).padStart(9, '0')}`;
  return {
    args: ['--min', seconds(from), '--max', seconds(to)],
    selection: { from: first + from, to: first + to },
  };
}
