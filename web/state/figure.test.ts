import { expect, test } from 'vitest';
import { ns } from '../base/units';
import { counterGrid, cpusInSight, type FigureScene, figureOf, figureQuery } from './figure';
import { type FigureChoice, firstChoice } from './figureChoice';
import { initialView, type ViewState } from './viewState';

const SCENE: FigureScene = {
  limits: { span: ns(10_000), afterSleep: ns(1_000), lanes: 8 },
  lanes: [0, 4, 1, 5, 2, 6, 3, 7],
  moves: false,
  tasks: [],
  calls: false,
  interrupts: false,
  filter: null,
};

const figure = (change: Partial<ViewState>, choice: Partial<FigureChoice> = {}, scene: Partial<FigureScene> = {}) =>
  figureOf({ ...initialView, ...change }, { ...SCENE, ...scene }, { ...firstChoice, ...choice });

test('a first view is the whole trace by PID, with running and waiting below, CPU 0 on top', () => {
  expect(figure({})).toEqual({
    kind: 'timeline',
    with: ['running-waiting'],
    window: null,
    forked: false,
    after_sleep: false,
    filter: null,
    target: null,
    cpus: null,
    color_by: 'pid',
    legend: 'window',
    topology: null,
    width: null,
    height: null,
    title: null,
    highlight: [],
    moves: false,
    notes: [],
    arrows: null,
    runqueues: false,
    calls: false,
    interrupts: false,
    counter: null,
    task_lanes: { pids: [], comms: [] },
    wakeup: null,
    top_down: true,
  });
});

test('a filter acts on lanes and curves, and not on the extract of one run', () => {
  expect(figure({}, {}, { filter: 'prio < 100' }).filter).toBe('prio < 100');
  expect(figure({}, { kind: 'running-waiting' }, { filter: 'prio < 100' }).filter).toBe('prio < 100');
  expect(figure({}, { kind: 'wakeup' }, { filter: 'prio < 100' }).filter).toBeNull();
});

test('times are whole ns of the trace, and none is before time 0', () => {
  const window = { start: ns(1200.4), end: ns(3000.6) };
  expect(figure({ window }).window).toEqual({ start: 1200, end: 3001 });
  const early = { start: ns(999.7), end: ns(3000) };
  expect(figure({ window: early, afterSleep: true })).toMatchObject({
    window: { start: 1000, end: 3000 },
    after_sleep: true,
  });
  expect(figure({ window: early }, {}, { limits: { ...SCENE.limits, afterSleep: null } }).window?.start).toBe(1000);
});

test('the sleep is left out only where there is one', () => {
  expect(figure({ afterSleep: true }, {}, { limits: { ...SCENE.limits, afterSleep: null } }).after_sleep).toBe(false);
});

test('colours: by command, or the target among black ones; curves have neither', () => {
  expect(figure({ colour: 'command' })).toMatchObject({ color_by: 'command', target: null });
  expect(figure({ colour: 'target', target: 'ua' })).toMatchObject({ color_by: 'pid', target: 'ua' });
  expect(figure({ colour: 'target', target: '' }).target).toBeNull();
  // The text that was typed before stays in the view but is no longer the target.
  expect(figure({ colour: 'pid', target: 'ua' }).target).toBeNull();
  expect(figure({ colour: 'target', target: 'ua' }, { kind: 'running-waiting' })).toMatchObject({
    kind: 'running-waiting',
    with: [],
    target: null,
    top_down: false,
  });
});

test('the CPUs in sight are those whose lanes are, in the order of the lanes', () => {
  const { lanes } = SCENE;
  expect(cpusInSight(initialView, lanes)).toBeNull();
  // Lanes 1.5 to 3.5: the 2nd, 3rd and 4th.
  const scrolled = { ...initialView, laneScale: 4, laneScroll: 1.5 };
  expect(cpusInSight(scrolled, lanes)).toEqual([1, 4, 5]);
  expect(figure(scrolled).cpus).toEqual([1, 4, 5]);
  expect(figure(scrolled, { allCpus: true }).cpus).toBeNull();
  expect(figure(scrolled, { kind: 'running-waiting' }).cpus).toBeNull();
});

test('marks and notes go along where they are in sight', () => {
  const marked: Partial<ViewState> = {
    window: { start: ns(2000), end: ns(3000) },
    timeMarks: { a: ns(2500), b: ns(3001) },
    marks: [
      { cpu: 1, at: ns(1999), note: 'before' },
      { cpu: 1, at: ns(2000), note: 'here' },
      { cpu: 7, at: ns(2100), note: 'elsewhere' },
    ],
  };
  const [a, here, elsewhere] = [
    { cpu: null, at: 2500, text: 'A' },
    { cpu: 1, at: 2000, text: 'here' },
    { cpu: 7, at: 2100, text: 'elsewhere' },
  ];
  expect(figure(marked).notes).toEqual([a, here, elsewhere]);
  expect(figure({ ...marked, laneScale: 4, laneScroll: 1 }).notes).toEqual([a, here]);
  expect(figure(marked, { marks: false }).notes).toEqual([]);
});

test('arrows are those of the selected run; its wakeup can be a figure of its own', () => {
  const selected: Partial<ViewState> = {
    selection: { cpu: 5, start: ns(77) },
    window: { start: ns(50), end: ns(1100) },
    colour: 'command',
  };
  expect(figure(selected).arrows).toEqual({ of: 'chain', cpu: 5, at: 77, hops: 32 });
  expect(figure({ ...selected, arrows: 'cascade' }).arrows).toEqual({ of: 'cascade', cpu: 5, at: 77 });
  expect(figure(selected, { arrows: false }).arrows).toBeNull();
  expect(figure(selected, { kind: 'wakeup' })).toMatchObject({
    kind: 'wakeup',
    wakeup: { cpu: 5, at: 77 },
    window: null,
    arrows: null,
    color_by: 'command',
  });
});

test('what the lanes show beside runs: queues, moves, the machine, tasks', () => {
  expect(figure({ depth: true }).runqueues).toBe(true);
  expect(figure({ depth: true }, { runqueues: false }).runqueues).toBe(false);
});

test('calls are drawn on the lanes of tasks, interrupts on all lanes, where the lanes show them', () => {
  const scene = { calls: true, interrupts: true, tasks: [{ pid: 7, comms: [] }] };
  expect(figure({}, {}, scene)).toMatchObject({ calls: true, interrupts: true });
  expect(figure({}, { calls: false, interrupts: false }, scene)).toMatchObject({ calls: false, interrupts: false });
  expect(figure({}, { tasks: false }, scene)).toMatchObject({ calls: false, interrupts: true });
  expect(figure({}, { kind: 'running-waiting' }, scene)).toMatchObject({ calls: false, interrupts: false });
  expect(figure({}, {}, { ...scene, tasks: [] })).toMatchObject({ calls: false, interrupts: true });
  expect(figure({}, {}, { moves: true }).moves).toBe(true);
  expect(figure({}, { moves: false }, { moves: true }).moves).toBe(false);
  const topology = { text: '2x2x2', order: 'topology', moves: true } as const;
  expect(figure({ topology }).topology).toBe('2x2x2');
  expect(figure({ topology: { ...topology, order: 'number' } }).topology).toBeNull();
});

test('task lanes are those that are there', () => {
  const tasks = {
    ...initialView.tasks,
    tasks: [
      { pid: 7, generation: 0 },
      { pid: 7, generation: 1 },
      { pid: 9, generation: 0 },
      { pid: 99, generation: 0 },
    ],
    comms: ['make', 'gone'],
  };
  const comms = (...names: string[]) => names.map((comm) => ({ comm, from: ns(0) }));
  const scene = {
    tasks: [
      { pid: 7, comms: comms('a') },
      { pid: 7, comms: comms('b') },
      { pid: 9, comms: comms('c') },
      { pid: 12, comms: comms('bash', 'make') },
    ],
  };
  expect(figure({ tasks }, {}, scene)).toMatchObject({
    with: ['tasks', 'running-waiting'],
    task_lanes: { pids: [7, 9], comms: ['make'] },
  });
  const none = { with: ['running-waiting'], task_lanes: { pids: [], comms: [] } };
  expect(figure({ tasks }, { tasks: false }, scene)).toMatchObject(none);
  expect(figure({ tasks })).toMatchObject(none);
});

test('sizes are said where they are not the usual ones', () => {
  expect(figure({}, { width: 85, height: 60 })).toMatchObject({ width: 85, height: 60 });
  expect(figure({}, { title: '  slow ' }).title).toBe('slow');
});

test('files are named after the trace; the preview is as sharp as the screen', () => {
  const trace = { name: 'a.b.dat', fingerprint: '00000000000000ff', clock_is_ns: true };
  const query = (choice: Partial<FigureChoice>, pixelRatio = 1) =>
    figureQuery(figure({}, choice), { ...firstChoice, ...choice }, null, trace, pixelRatio);
  expect(query({})).toMatchObject({ file: 'a.b.dat', out: 'a.b-timeline.svg', formats: ['svg'] });
  expect(query({ format: 'pdf', kind: 'running-waiting' })).toMatchObject({
    out: 'a.b-running-waiting.pdf',
    formats: ['pdf'],
    preview: [900, 560],
  });
  expect(query({ format: 'png', dpi: 600 })).toMatchObject({ formats: ['png'], dpi: 600 });
  expect(query({}, 1.25).preview).toEqual([1125, 700]);
});

test('a counter is drawn on the lanes as the command line names it, unless it is unwanted', () => {
  const counter = 'sched:sched_switch:next_prio';
  expect(figure({ counter }).counter).toBe('sched:sched_switch.next_prio');
  expect(figure({ counter }, { counter: false }).counter).toBeNull();
  expect(figure({ counter }, { kind: 'running-waiting' }).counter).toBeNull();
});

test('the buckets of a counter cover the window, as finely as a figure needs them', () => {
  const grid = (start: number, end: number) => counterGrid({ start: ns(start), end: ns(end) });
  expect(grid(7, 8192)).toEqual({ level: 0, first: 7, buckets: 8185 });
  expect(grid(1, 8194)).toEqual({ level: 1, first: 0, buckets: 4097 });
  // 2^40 ns in buckets of 2^27.
  expect(grid(0, 2 ** 40)).toEqual({ level: 27, first: 0, buckets: 8192 });
  expect(grid(5, 5)).toEqual({ level: 0, first: 5, buckets: 0 });
});
