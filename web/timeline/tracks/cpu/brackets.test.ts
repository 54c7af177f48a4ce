import { expect, test } from 'vitest';
import { cssPx, ns } from '../../../base/units';
import type { Topology, TopologyCpu } from '../../../engine/protocol';
import { layoutLanes } from '../../frame/laneLayout';
import { arranged, type TraceInfo } from '../../frame/traceInfo';
import { distanceBetween, placeBrackets } from './brackets';

/** Two sockets whose CPUs alternate, each with two LLCs of two cores: CPU n is in socket n mod 2. */
const cpus: TopologyCpu[] = [0, 1, 2, 3, 4, 5, 6, 7].map((cpu) => {
  const [socket, core] = [cpu % 2, Math.floor(cpu / 2)];
  return { cpu, socket, node: socket, llc: 2 * socket + Math.floor(core / 2), core: 4 * socket + core };
});

const topology: Topology = {
  canonical: '2x4x1,alternate,llcs:4',
  summary: '',
  sockets: 2,
  nodes: 2,
  llcs: 4,
  cores: 8,
  cpus,
  order: [0, 2, 4, 6, 1, 3, 5, 7, 8],
  unknown_cpus: [8],
  other_cpus: [],
};

const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const learnt: TraceInfo = {
  session: 1,
  stage: 'opened',
  cpuCount: 9,
  cpus: numbers,
  laneOf: new Map(numbers.map((cpu) => [cpu, cpu])),
  scanned: new Set(),
  span: ns(1000),
  afterSleep: null,
  clockIsNs: true,
  hasQueues: false,
  pids: new Int32Array(0),
  prios: new Int16Array(0),
  comms: [],
  commIds: new Map(),
  topology: null,
  placeOf: new Map(),
};

const layout = layoutLanes(9, cssPx(180), 1, 0);

test('lanes by topology, with a bracket for each socket and LLC; a CPU that is not known has none', () => {
  const trace = arranged(learnt, topology, 'topology', []);
  expect(trace.cpus).toEqual(topology.order);
  expect(trace.laneOf.get(1)).toBe(4);
  const brackets = placeBrackets(trace, layout).map(({ level, number, top, bottom }) => [level, number, top, bottom]);
  expect(brackets).toEqual([
    ['socket', 0, 0, 80],
    ['socket', 1, 80, 160],
    ['llc', 0, 0, 40],
    ['llc', 1, 40, 80],
    ['llc', 2, 80, 120],
    ['llc', 3, 120, 160],
  ]);
});

test('by number the brackets are of the lanes that happen to be together', () => {
  const trace = arranged(learnt, topology, 'number', []);
  expect(trace.cpus).toBe(learnt.cpus);
  expect(placeBrackets(trace, layout).filter(({ level }) => level === 'socket')).toHaveLength(8);
  const thin = layoutLanes(9, cssPx(27), 1, 0);
  expect(placeBrackets(trace, thin)).toEqual([]);
});

test('what is scrolled away is cut, and its end has no hook', () => {
  const trace = arranged(learnt, { ...topology, llcs: 2 }, 'topology', []);
  const scrolled = layoutLanes(9, cssPx(180), 2, 3);
  expect(placeBrackets(trace, scrolled)).toEqual([
    { level: 'socket', number: 0, top: 0, bottom: 40, begins: false, ends: true },
    { level: 'socket', number: 1, top: 40, bottom: 180, begins: true, ends: false },
  ]);
});

test('without a machine, and before the trace is open, lanes are by number', () => {
  expect(arranged(learnt, null, 'topology', [])).toBe(learnt);
  expect(arranged({ ...learnt, stage: 'preview' }, topology, 'topology', []).cpus).toBe(learnt.cpus);
  expect(placeBrackets(learnt, layout)).toEqual([]);
});

test('distances by what is shared', () => {
  const { placeOf } = arranged(learnt, topology, 'number', []);
  expect(distanceBetween(placeOf, 8, 8)).toBe('cpu');
  expect(distanceBetween(placeOf, 0, 2)).toBe('llc');
  expect(distanceBetween(placeOf, 0, 4)).toBe('socket');
  expect(distanceBetween(placeOf, 0, 1)).toBe('machine');
  expect(distanceBetween(placeOf, 0, 8)).toBe(null);
});
