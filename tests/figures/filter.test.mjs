// @ts-check
// In a figure with a filter, the runs that pass stand out and the others are pale, as trace-cmd's text has them.

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
/** Units from one lane of a CPU to the next. */
const LANE = 100;
/** Only runs on this CPU pass, and only of tasks with uneven numbers. */
const CPU = 2;
const FILTER = `sched_switch: next_pid & 1 && cpu == ${CPU}`;
const passes = (/** @type {number} */ cpu, /** @type {number} */ pid) => cpu === CPU && (pid & 1) === 1;

/**
 * The figure, with the options besides the filter.
 * @param {string} kind
 * @param {...string} options
 */
function figure(kind, ...options) {
  const out = path.join(mkdtempSync(path.join(tmpdir(), 'corelane-filter-')), 'out.svg');
  const trace = path.join(FIXTURES, `${NAME}.dat`);
  execFileSync(build('tracecore-cli', 'corelane'), ['figure', kind, trace, '-o', out, '--filter', FILTER, ...options]);
  const text = readFileSync(out, 'utf8');
  return { root: parse(text), text };
}

/** The runs that begin in trace-cmd's text: of which task, on which CPU, for how many ns. */
function runs() {
  const text = brotliDecompressSync(readFileSync(path.join(FIXTURES, `${NAME}.report.br`))).toString();
  /** @type {{ cpu: number, pid: number, ns: number }[]} */
  const found = [];
  /** @type {Map<number, { pid: number, at: number }>} */
  const now = new Map();
  for (const line of text.split('\n')) {
    const [, cpu, at] = /^ *\S.*?-\d+ +(\d+)[- ].*? (\d+\.\d+): /.exec(line) ?? [];
    const next = / sched_switch: .* next_pid=(\d+)/.exec(line)?.[1];
    if (next === undefined) continue;
    const time = Math.round(Number(at) * 1e9);
    const before = now.get(Number(cpu));
    if (before !== undefined && before.pid !== 0)
      found.push({ cpu: Number(cpu), pid: before.pid, ns: time - before.at });
    now.set(Number(cpu), { pid: Number(next), at: time });
  }
  return found;
}

test('lanes have the runs that pass in their colours, and the others pale', () => {
  const { root, text } = figure('timeline', '--top-down');
  /** @type {Map<string, number>} */
  const widths = new Map();
  let [pale, own] = [0, 0];
  for (const element of ofClass(root, 'runs')) {
    const pid = Number(element.attributes['data-pid']);
    const isPale = element.attributes['data-passes'] === 'no';
    for (const { outline } of subpaths(element.attributes.d ?? '')) {
      const { top, left, right } = box(outline);
      const cpu = Math.floor(top / LANE);
      assert.equal(!isPale, passes(cpu, pid), `PID ${pid} on CPU ${cpu}`);
      isPale ? pale++ : own++;
      const key = `${isPale}`;
      widths.set(key, (widths.get(key) ?? 0) + right - left);
    }
  }
  assert.ok(pale > 100 && own > 10, `${pale} pale, ${own} not`);
  // As wide together as the runs of the text last together.
  const all = runs();
  const sum = (/** @type {boolean} */ are) =>
    all.filter(({ cpu, pid }) => passes(cpu, pid) === are).reduce((total, { ns }) => total + ns, 0);
  const drawn = (widths.get('false') ?? 0) / ((widths.get('false') ?? 0) + (widths.get('true') ?? 0));
  const expected = sum(true) / (sum(true) + sum(false));
  assert.ok(Math.abs(drawn - expected) < 0.03 * expected, `${drawn} of what is drawn passes, ${expected} expected`);
  assert.match(text, /Pale: runs that do not pass the filter/);
});

test('the lane of a task has pale runs, too, and no waits for them', () => {
  const pids = runs().flatMap(({ cpu, pid }) => (passes(cpu, pid) ? [pid] : []));
  const pid = pids.find((one) => runs().some((run) => run.pid === one && run.cpu !== CPU));
  assert.ok(pid !== undefined, 'a task that ran there and elsewhere');
  const [lane] = ofClass(figure('timeline', '--with', 'tasks', '--task', `${pid}`).root, 'task-lane');
  assert.ok(lane);
  const fills = new Set(ofClass(lane, 'state-running').map(({ attributes }) => attributes.fill));
  assert.equal(fills.size, 2);
  const width = (/** @type {string} */ name) =>
    ofClass(lane, name).flatMap(({ attributes }) => [...subpaths(attributes.d ?? '')]).length;
  const [plain] = ofClass(parse(unfiltered(pid)), 'task-lane');
  assert.ok(plain);
  const waits = ofClass(plain, 'state-runnable').flatMap(({ attributes }) => [...subpaths(attributes.d ?? '')]).length;
  assert.ok(width('state-runnable') < waits, `${width('state-runnable')} waits of ${waits}`);
});

/** @param {number} pid */
function unfiltered(pid) {
  const trace = path.join(FIXTURES, `${NAME}.dat`);
  const args = ['figure', 'timeline', trace, '-o', '-', '--with', 'tasks', '--task', `${pid}`];
  return execFileSync(build('tracecore-cli', 'corelane'), args, { encoding: 'utf8', maxBuffer: 1 << 28 });
}

test('the curve counts what passes', () => {
  const { root, text } = figure('running-waiting');
  // On one CPU, one task runs at most.
  assert.match(text, /Counted: runs that pass the filter/);
  const ticks = ofClass(root, 'tick-label').map(({ text }) => Number(text));
  assert.ok(!ticks.includes(8), `ticks ${ticks}`);
});
