/** One round of figures: how long `corelane figure timeline` takes on a file, and how large its output is. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { processorMs, run } from './measure.mjs';

/** The zoomed figure shows this fraction of the trace, in its middle. */
const ZOOM = 256;

/** @typedef {{ name: string, ms: number, bytes: number }} FigureTime Processor time, all threads together. */

/**
 * Figures of the whole trace, with the curves below it, and of a part of it.
 * @param {string} corelane
 * @param {string} file
 * @param {string} folder For what is written.
 * @returns {FigureTime[]}
 */
export function figureRound(corelane, file, folder) {
  const { first_ns: first, last_ns: last } = JSON.parse(run(corelane, ['info', file, '--json'], 'pipe'));
  const span = Number(last) - Number(first);
  const seconds = (/** @type {number} */ ns) => (ns / 1e9).toFixed(9);
  const zoomed = ['--min', seconds(span / 2), '--max', seconds(span / 2 + span / ZOOM)];
  return [
    { name: 'whole, SVG', args: [], format: 'svg' },
    { name: 'whole, PDF', args: [], format: 'pdf' },
    { name: 'whole with curves, PDF', args: ['--with', 'running-waiting'], format: 'pdf' },
    { name: 'whole, PNG', args: [], format: 'png' },
    { name: `1/${ZOOM}, SVG`, args: zoomed, format: 'svg' },
    { name: `1/${ZOOM}, PDF`, args: zoomed, format: 'pdf' },
  ].map(({ name, args, format }) => {
    const out = join(folder, `figure.${format}`);
    const ms = processorMs(corelane, ['figure', 'timeline', file, '-o', out, '-q', ...args]);
    return { name, ms, bytes: statSync(out).size };
  });
}
