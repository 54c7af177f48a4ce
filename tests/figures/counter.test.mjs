// @ts-check
// The lines of a counter in a figure have the extremes of what trace-cmd prints of each CPU and task.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { build, ROOT } from '../lib/build.mjs';
import { box, ofClass, parse, subpaths } from './svg.mjs';

const FIXTURES = path.join(ROOT, 'tests/fixtures');
const NAME = 'forkpipe-8cpu';
const CPUS = 8;
/** Units from one lane of a CPU to the next. */
const LANE = 100;

/** @typedef {{ least: number, greatest: number }} Extremes */

/**
 * The least and the greatest `next_prio` by a number that the event has.
 * @param {RegExp} key
 */
function expected(key) {
  /** @type {Map<number, Extremes>} */
  const found = new Map();
  const text = brotliDecompressSync(readFileSync(path.join(FIXTURES, `${NAME}.report.br`))).toString();
  for (const line of text.split('\n')) {
    const prio = Number(/ next_prio=(-?\d+)/.exec(line)?.[1] ?? Number.NaN);
    if (!line.includes(' sched_switch: ') || Number.isNaN(prio)) continue;
    const who = Number(key.exec(line)?.[1]);
    const { least, greatest } = found.get(who) ?? { least: prio, greatest: prio };
    found.set(who, { least: Math.min(least, prio), greatest: Math.max(greatest, prio) });
  }
  return found;
}

/**
 * Upper and lower edges of rectangles.
 * @param {string} d
 */
const edges = (d) =>
  [...subpaths(d)].map(({ outline }) => {
    const { top, bottom } = box(outline);
    return [top, bottom];
  });

test('the lines of a counter reach as far as the values that trace-cmd prints', () => {
  const out = path.join(mkdtempSync(path.join(tmpdir(), 'corelane-counter-')), 'out.svg');
  const trace = path.join(FIXTURES, `${NAME}.dat`);
  const options = ['--counter', 'sched_switch.next_prio', '--with', 'tasks', '--task', 'wc', '--top-down'];
  execFileSync(build('tracecore-cli', 'corelane'), ['figure', 'timeline', trace, '-o', out, ...options]);
  const root = parse(readFileSync(out, 'utf8'));
  const lines = ofClass(root, 'counter-line');

  // Of all CPUs one path, whose rows are found by their place.
  const cpus = expected(/^ *\S.*?-\d+ +(\d+)[- ]/);
  assert.equal(cpus.size, CPUS);
  const [ofCpus] = lines;
  assert.ok(ofCpus);
  /** @type {number[][][]} */
  const rows = Array.from({ length: CPUS }, () => []);
  for (const [top = 0, bottom = 0] of edges(ofCpus.attributes.d ?? '')) {
    const row = Math.floor(top / LANE);
    rows[row]?.push([top - row * LANE, bottom - row * LANE]);
  }
  const drawn = rows.map((rects) => ({
    top: Math.min(...rects.map(([top = 0]) => top)),
    bottom: Math.max(...rects.map(([, bottom = 0]) => bottom)),
  }));
  // Two lanes tell the scale, the others have to agree with it.
  const thick = Math.min(...rows.flat().map(([top = 0, bottom = 0]) => bottom - top));
  const all = [...cpus].sort(([a], [b]) => a - b).map(([, extremes]) => extremes);
  const most = Math.max(...all.map(({ greatest }) => greatest));
  const least = Math.min(...all.map((extremes) => extremes.least));
  assert.ok(least < most);
  const [high, low] = [
    Math.min(...drawn.map(({ top }) => top)),
    Math.max(...drawn.map(({ bottom }) => bottom)) - thick,
  ];
  /** @param {number} value */
  const place = (value) => high + ((most - value) / (most - least)) * (low - high);
  for (const [cpu, extremes] of all.entries()) {
    assert.ok(Math.abs((drawn[cpu]?.top ?? 0) - place(extremes.greatest)) <= 1, `CPU ${cpu}: the greatest`);
    assert.ok(Math.abs((drawn[cpu]?.bottom ?? 0) - thick - place(extremes.least)) <= 1, `CPU ${cpu}: the least`);
  }

  // Of each task with a lane one path, if it was switched to.
  const tasks = expected(/ next_pid=(\d+)/);
  const lanes = ofClass(root, 'task-lane');
  assert.ok(lanes.length > 1);
  for (const lane of lanes) {
    const pid = Number(lane.attributes['data-pid']);
    const rects = ofClass(lane, 'counter-line').flatMap((line) => edges(line.attributes.d ?? ''));
    assert.equal(rects.length > 0, tasks.has(pid), `PID ${pid}`);
    const { least: low, greatest } = tasks.get(pid) ?? { least: 0, greatest: 0 };
    const tops = new Set(rects.map(([top]) => top));
    // One priority, one height.
    if (low === greatest) assert.ok(tops.size <= 1, `PID ${pid}`);
  }
});
