// @ts-check
// Tests the reader of figures on one that is small enough to write by hand; and that faults in a figure are found.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Differences } from '../derive/differences.mjs';
import { deriveTrace } from '../derive/numbers.mjs';
import { ReportReader } from '../derive/report.mjs';
import { compareCurves, compareLanes } from './exact.mjs';
import { readRow } from './legend.mjs';
import { compareMergedCurve, compareMergedLanes } from './merged.mjs';
import { Picture } from './picture.mjs';
import { box, parse, subpaths } from './svg.mjs';

const PRINT_FMT =
  'print fmt: "%s%s", REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & (1024-1), "|", { 1, "S" }) : "R", ' +
  'REC->prev_state & 1024 ? "+" : ""';

/**
 * A trace of two CPUs and a microsecond: on CPU 0 `a` runs from 100 ns to 300 ns, when `b` takes its place and `a`
 * waits; `b` sleeps at 700 ns, and `a` runs on. CPU 1 is unknown until it idles at 400 ns.
 */
function derived() {
  const reader = new ReportReader();
  const text = `cpus=2
    <idle>-0 [001] 7.000000000: print: begin
    <idle>-0 [000] 7.000000100: sched_switch: ${switched('swapper/0', 0, 0, 'a', 5)}
    a-5 [000] 7.000000300: sched_switch: ${switched('a', 5, 0, 'b', 6)}
    CPU:1 [EVENTS DROPPED]
    x-9 [001] 7.000000400: sched_switch: ${switched('x', 9, 1, 'swapper/1', 0)}
    b-6 [000] 7.000000700: sched_switch: ${switched('b', 6, 1, 'a', 5)}
    <idle>-0 [001] 7.000001000: print: end`;
  for (const line of text.split('\n')) reader.push(line.trim());
  return deriveTrace(reader.finish(), PRINT_FMT);
}

/**
 * @param {string} prev
 * @param {number} prevPid
 * @param {number} state
 * @param {string} next
 * @param {number} nextPid
 */
function switched(prev, prevPid, state, next, nextPid) {
  const left = `prev_comm=${prev} prev_pid=${prevPid} prev_prio=120 prev_state=${state}`;
  return `${left} next_comm=${next} next_pid=${nextPid} next_prio=120`;
}

/**
 * A drawing of it, with a tenth of a millimetre for each nanosecond.
 *
 * @param {string} lanes
 * @param {string} curve
 * @param {string} [dot] attribute
 */
function drawing(lanes, curve, dot = '') {
  const time = 'data-start-ns="7000000000" data-end-ns="7000001000"';
  return new Picture(`<?xml version="1.0"?>
    <svg xmlns="http://www.w3.org/2000/svg" width="110mm" height="40mm" viewBox="0 0 110 40">
      <title>Two CPUs</title>
      <g class="lanes" ${time} data-unit-ns="1" data-precision-ns="1" data-rows="1 0" ${dot}>
        <g transform="translate(5 0)"><g transform="matrix(0.1 0 0 0.05 0 2)">${lanes}</g></g>
      </g>
      <g class="curve" ${time} data-unit-ns="100" data-precision-ns="1"><g transform="matrix(10 0 0 -4 5 38)">${curve}</g></g>
    </svg>`);
}

const A = 'data-pid="5" data-generation="0" data-comm="a"';
const B = 'data-pid="6" data-generation="0" data-comm="b"';
const LANES = `<path class="runs" ${A} d="M100 107h200v86h-200zm600 0h300v86h-300z"/>
  <g class="runs" ${B}><rect x="300" y="107" width="400" height="86"/></g>
  <path class="unknown" d="M0 7H400V93H0Z"/>`;
const CURVE = `<path class="runnable" d="M0 0h1v1h2v1h4v-1h3V0z"/><path class="running" d="M0 0H1V1H10V0Z"/>`;

test('a figure that shows what was so', () => {
  const trace = derived();
  const figure = drawing(LANES, CURVE);
  const differences = new Differences();
  assert.equal(compareLanes(differences, 'lanes', trace, {}, figure.lanes()[0]), 4);
  assert.equal(compareCurves(differences, 'curves', trace, {}, figure.curves()[0]), 6);
  assert.deepEqual(differences.found, []);
  assert.ok(differences.compared > 9);
  assert.equal(figure.about('title'), 'Two CPUs');
  const [{ mm }] = figure.lanes()[0].pieces.filter(({ comm }) => comm === 'b');
  assert.deepEqual([mm.left, mm.right].map(Math.round), [35, 75]);
});

test('a figure that is wrong anywhere', () => {
  const trace = derived();
  for (const [right, wrong] of [
    ['M100 107h200v86h-200', 'M101 107h199v86h-199'],
    ['width="400"', 'width="399"'],
    ['M0 7H400V93', 'M0 7H400V193'],
    ['data-pid="6"', 'data-pid="5"'],
    ['data-comm="a"', 'data-comm="b"'],
    ['class="unknown"', 'class="inferred"'],
    ['zm600 0h300v86h-300z', 'z'],
    ['v1h2v1h4v-1h3', 'v1h2v1h3v-1h4'],
    ['V1H10', 'V2H10'],
  ]) {
    const differences = new Differences();
    assert.ok((LANES + CURVE).includes(right));
    const figure = drawing(LANES.replace(right, wrong), CURVE.replace(right, wrong));
    compareLanes(differences, 'lanes', trace, {}, figure.lanes()[0]);
    compareCurves(differences, 'curves', trace, {}, figure.curves()[0]);
    assert.notDeepEqual(differences.found, [], `${right} as ${wrong}`);
  }
});

test('merged runs, and merged runs that are wrong', () => {
  const trace = derived();
  const runs = 'M100 107h900v86h-900z';
  const merged = `<path class="merged" ${B} data-busy="0.75-1" d="${runs}"/>`;
  // The last one ran for 300 ns, which is narrower than a dot of 40 mm.
  const rest = `<path class="runs" ${A} d="M700 107h300v86h-300z"/><path class="unknown" d="M0 7H400V93H0Z"/>`;
  const two = merged.replace(runs, 'M100 107h600v86h-600z') + rest;
  const curve = `<path class="runnable-max" d="M0 0V2H10V0z"/><path class="running-max" d="M0 0V1H10V0z"/>
    <path class="running-min" d="M0 0V0H5V1H10V0z"/>`;
  /** @param {string} lanes @param {string} drawn */
  const faults = (lanes, drawn) => {
    const differences = new Differences();
    const figure = drawing(lanes, drawn, 'data-merged-dot-mm="45"');
    compareMergedLanes(differences, 'lanes', trace, {}, figure.lanes()[0]);
    compareMergedCurve(differences, 'curve', trace, {}, figure.curves()[0]);
    return differences.found;
  };
  assert.deepEqual(faults(two, curve), []);
  for (const [right, wrong] of [
    // It is half of the time, not three quarters.
    ['0.75-1', '0.25-0.5'],
    ['data-pid="6"', 'data-pid="5"'],
    ['M100 107h600v86h-600z', 'M100 107h500v86h-500z'],
    ['M100 107h600v86h-600z', 'M100 107h700v86h-700z'],
    ['M700 107h300v86h-300', 'M700 107h250v86h-250'],
    ['M0 0V2H10', 'M0 0V1H10'],
    ['V0H5V1', 'V0H1V1'],
    ['V0H5V1H10', 'V1H5V1H10'],
  ]) {
    assert.ok((two + curve).includes(right));
    const found = faults(two.replace(right, wrong), curve.replace(right, wrong));
    // Columns may be of any width: a shorter one is no fault.
    if (wrong === 'V0H1V1') assert.deepEqual(found, []);
    else assert.notDeepEqual(found, [], `${right} as ${wrong}`);
  }
});

test('paths, and what is no rectangle', () => {
  const outlines = [...subpaths('M1 2h3v4h-3zm10-1.5h.5v-.5h-.5zM5,5L6,6 7,5')];
  assert.deepEqual(
    outlines.map(({ outline, closed }) => [outline.length, closed]),
    [
      [4, true],
      [4, true],
      [3, false],
    ],
  );
  assert.deepEqual(box(outlines[0].outline), { left: 1, top: 2, right: 4, bottom: 6 });
  assert.deepEqual(box(outlines[1].outline), { left: 11, top: 0, right: 11.5, bottom: 0.5 });
  assert.throws(() => box(outlines[2].outline), /no rectangle/);
  assert.throws(() => [...subpaths('M0 0C1 1 2 2 3 3')], /not known/);
  assert.throws(() => parse('<svg><g></svg>'));
  // Browsers leave this out, though the file has it.
  assert.throws(() => [...subpaths('M0 0h1v1h-1zm9000000 0h1v1h-1z')], /do not draw/);
});

test('times of few digits and of many', () => {
  const runs = (/** @type {string} */ d) =>
    drawing(`<path class="runs" ${A} d="${d}"/>`, '')
      .lanes()[0]
      .pieces.map(({ start, end }) => [start, end]);
  assert.deepEqual(runs('M100 107h200v86h-200z'), [[7_000_000_100n, 7_000_000_300n]]);
  assert.throws(() => runs('M100.5 107h200v86h-200z'), /no whole number of 1 ns/);
  const coarse = new Picture(`<svg xmlns="http://www.w3.org/2000/svg" width="9mm" height="9mm" viewBox="0 0 9 9">
    <g class="lanes" data-start-ns="7" data-end-ns="93000000007" data-unit-ns="1000000" data-precision-ns="1" data-rows="0">
    <path class="runs" d="M.000001 0h92999.999998v86h-92999.999998z"/></g></svg>`);
  assert.deepEqual(
    coarse.lanes()[0].pieces.map(({ start, end }) => [start, end]),
    [[8n, 93_000_000_006n]],
  );
});

test('a row of a legend', () => {
  const { first, last, execution, switchesTo, pids } = readRow([
    'ua.C.x',
    '1.6038–3.0765 s',
    '72.40 s',
    '1,134',
    '128',
  ]);
  assert.deepEqual([first.ns, last.ns, execution.ns], [1.6038e9, 3.0765e9, 72.4e9]);
  assert.ok(Math.abs(execution.slack - 5e6) < 1 && Math.abs(first.slack - 5e4) < 1);
  assert.deepEqual([switchesTo, pids], [1134, 128]);
});
