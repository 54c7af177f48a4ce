import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import { MAX_NOTE } from '../events';
import { FINDING_KINDS } from '../findings';
import { reduce } from '../reduce';
import { initialView, type Limits, MAX_HIGHLIGHTED, type ViewState } from '../viewState';
import { decodeFragment, encodeFragment, linkToView } from './codec';

const clock = { baseNs: 1_700_000_000_123_456_789n, isNs: true };
const trace = { name: 'my trace & more.dat', fingerprint: '00ff00ff00ff00ff' };
const limits: Limits = { span: ns(10_000_000_000), afterSleep: ns(1_000_000_000), lanes: 8 };
const cpus = [0, 1, 2, 3, 4, 5, 6, 7];

const rich: ViewState = {
  window: { start: ns(2_000_000_001), end: ns(2_500_000_003) },
  selection: { cpu: 3, start: ns(2_100_000_007) },
  range: { start: ns(2_200_000_000), end: ns(2_300_000_000) },
  colour: 'target',
  target: 'ua.C.x',
  highlighted: ['kworker/0:1', 'a&b=c#d', 'ünï'],
  forked: true,
  afterSleep: true,
  cpus: [1, 4, 5, 6],
  laneScale: 2.5,
  laneScroll: 1.25,
  filter: 'prio < 100 && comm ~ "ua*"',
  counter: 'power:cpu_frequency:state',
  events: {
    open: true,
    cpus: [1, 4, 5, 6, 7],
    task: '1234, hack',
    names: ['sched_switch', 'sys_enter'],
    text: 'a & b',
    followWindow: true,
    followSelection: 'task',
    mode: 'raw',
    absoluteTime: true,
  },
  event: { cpu: 4, at: ns(2_150_000_000) },
  marks: [
    { cpu: 0, at: ns(0), note: '' },
    { cpu: 7, at: ns(2_150_000_001), note: 'late: 3 µs, 100%' },
  ],
  tab: 'findings',
  findings: {
    kinds: ['overload', 'cascade'],
    within: { start: ns(2_000_000_000), end: ns(2_400_000_000) },
    movable: true,
    least: ns(1000),
  },
  arrows: 'cascade',
  tasks: {
    tasks: [
      { pid: 12, generation: 0 },
      { pid: 13, generation: 0 },
      { pid: 13, generation: 2 },
    ],
    comms: ['a,b', 'comm:x'],
    order: 'waiting',
    pitch: 22.5,
    scroll: 3.25,
  },
  timeMarks: { a: ns(2_100_000_000), b: ns(0) },
  latency: { measure: 'run-preempted', by: 'task', span: 'window', group: '4194304.12' },
  calls: {
    by: 'task',
    list: 'threads',
    span: 'window',
    errors: true,
    net: true,
    arch: 'aarch64',
    compat: ['old task', '77'],
    names: 'fut,read',
    row: 'futex 4194304.12',
    at: { pid: 4194304, generation: 12, at: ns(2_100_000_002) },
    hidden: ['irqs'],
  },
  schedExt: { sliceUs: 10_000, comm: 'b,2' },
  relations: { show: 'took', by: 'cpu', span: 'window' },
  pairs: {
    pair: 'softirq',
    by: 'cpu',
    group: '3',
    task: '304,kworker',
    span: 'window',
    own: {
      start: 'irq:softirq_entry[vec == 1 || vec == 3]',
      end: 'irq:softirq_exit',
      key: 'vec,cpu',
      group: 'vec',
      value: 'end.now - start.expires',
      again: 'nest',
    },
  },
  topology: { text: '2x4x2,siblings,llcs:4', order: 'number', moves: false },
  depth: true,
  table: 'tasks',
};

function through(view: ViewState): ViewState {
  const { link, problems } = decodeFragment(encodeFragment(view, trace, clock));
  expect(problems).toEqual([]);
  expect(link?.trace).toEqual(trace);
  return link ? linkToView(link, clock, limits, cpus).view : initialView;
}

describe('a view in a URL', () => {
  it('comes back as it was', () => {
    expect(through(initialView)).toEqual(initialView);
    expect(through(rich)).toEqual(rich);
  });

  it('names absolute times with nine decimals', () => {
    const fragment = encodeFragment(rich, trace, clock);
    expect(fragment).toContain('window=1700000002.123456790-1700000002.623456792');
    expect(fragment).toContain('select=3@1700000002.223456796');
  });

  it('is readable', () => {
    const fragment = encodeFragment(rich, trace, clock);
    expect(fragment).toContain(
      '&events=open&events-cpus=1,4-7&events-task=1234,%20hack&events-names=sched_switch,sys_enter',
    );
    expect(fragment).toContain('&events-follow=window,task&events-mode=raw&events-time=absolute');
    expect(fragment).toContain(
      '&tasks=12-13,13.2&tasks=comm:a,b&tasks=comm:comm:x&task-order=waiting&task-lanes=22.5,3.25',
    );
    expect(fragment).toContain('&a=1700000002.223456789&b=1700000000.123456789');
    expect(fragment).toContain('&event=4@1700000002.273456789');
    expect(fragment).toContain(
      '&tab=findings&findings=overload,cascade&least=1000&movable=1&arrows=cascade&within=1700000002.1234',
    );
    expect(fragment).toContain('&mark=0@1700000000.123456789&mark=7@1700000002.273456790:late:%203');
  });

  it('stays below 2 KB at its largest', () => {
    const name = `${'ü'.repeat(300)}.dat`;
    let view: ViewState = {
      ...rich,
      target: '&'.repeat(15),
      filter: '',
      events: { ...rich.events, names: [], text: '', task: '' },
      findings: { ...rich.findings, kinds: FINDING_KINDS.slice(1) },
    };
    for (let index = 0; index < MAX_HIGHLIGHTED; index += 1) {
      view = reduce(view, { type: 'toggleHighlight', comm: `${index}&&&&&&&&&&&&&`.slice(0, 15) }, limits);
    }
    for (let index = 0; index < 100; index += 1) {
      const mark = { cpu: 1, at: ns(index * 1e7), note: '&'.repeat(index) };
      view = reduce(view, { type: 'mark', mark }, limits);
      view = reduce(view, { type: 'events', change: { text: '&'.repeat(index), task: '&'.repeat(index) } }, limits);
    }
    expect(view.marks.length).toBeGreaterThan(1);
    expect(view.highlighted.length).toBeGreaterThan(5);
    const fragment = encodeFragment(view, { ...trace, name }, clock);
    expect(fragment.length).toBeLessThan(2010);
    expect(decodeFragment(fragment).problems).toEqual([]);
    const beside = [1, 2, 3].map((place) => ({ fingerprint: 'f'.repeat(16), offset: ns(-place * 1e14) }));
    const withOthers = encodeFragment(view, { ...trace, name }, clock, beside);
    expect(withOthers.length).toBeLessThan(2048);
    expect(decodeFragment(withOthers).link?.beside).toEqual(beside);
  });

  it('names the traces that are open beside its own, by fingerprint and offset', () => {
    const beside = [{ fingerprint: '00ab', offset: ns(-1500) }];
    const fragment = encodeFragment(initialView, trace, clock, beside);
    expect(fragment).toBe('#v=1&trace=my%20trace%20%26%20more.dat&fp=00ff00ff00ff00ff&beside=00ab@-1500');
    expect(decodeFragment(fragment).link?.beside).toEqual(beside);
    for (const bad of ['beside=00ab', 'beside=x@1', 'beside=00ab@1.5', 'beside=a@1&beside=b@1&beside=c@1&beside=d@1']) {
      expect(decodeFragment(`#v=1&${bad}`).problems).toHaveLength(1);
    }
  });

  it('opens the tab of what it selects, when it names none', () => {
    const tabOf = (fields: string): string | undefined => {
      const { link } = decodeFragment(`#v=1${fields}`);
      return link ? linkToView(link, clock, limits, cpus).view.tab : undefined;
    };
    expect(tabOf('')).toBe('findings');
    expect(tabOf('&select=3@1700000001.0')).toBe('selection');
    expect(tabOf('&range=1700000002.0-1700000003.0')).toBe('range');
    expect(tabOf('&select=99@1700000001.0')).toBe('findings');
    expect(tabOf('&select=3@1700000001.0&tab=latency')).toBe('latency');
  });

  it('is nothing when the fragment is empty', () => {
    expect(decodeFragment('')).toEqual({ link: null, problems: [] });
    expect(decodeFragment('#')).toEqual({ link: null, problems: [] });
  });

  it('says so when its version is not known', () => {
    expect(decodeFragment('#v=2&colour=pid').problems[0]).toContain('version 2');
    expect(decodeFragment('#colour=pid').problems[0]).toContain('no version');
  });

  it.each([
    ['window', 'window=5-4'],
    ['window', 'window=abc'],
    ['window', 'window=1.1.1-2'],
    ['select', 'select=x@1.0'],
    ['select', 'select=3'],
    ['colour', 'colour=mauve'],
    ['forked', 'forked=yes'],
    ['depth', 'depth=2'],
    ['table', 'table=cpu'],
    ['lanes', 'lanes=0.1,0'],
    ['lanes', 'lanes=1e9,0'],
    ['fp', 'fp=<script>'],
    ['target', `target=${'x'.repeat(100)}`],
    ['highlight', `highlight=${'x'.repeat(100)}`],
    ['target', 'target=%E0%A4%A'],
    ['events', 'events=ajar'],
    ['events-cpus', 'events-cpus=4-1'],
    ['events-task', `events-task=${'x'.repeat(100)}`],
    ['events-names', 'events-names=a,,b'],
    ['events-follow', 'events-follow=cpu,task'],
    ['events-follow', 'events-follow=me'],
    ['events-mode', 'events-mode=json'],
    ['event', 'event=3'],
    ['tab', 'tab=chain'],
    ['findings', 'findings=overload,luck'],
    ['least', 'least=1ms'],
    ['movable', 'movable=no'],
    ['within', 'within=2-1'],
    ['arrows', 'arrows=all'],
    ['latency', 'latency=jitter'],
    ['slice', 'slice=0'],
    ['slice', `slice=10000,${'x'.repeat(17)}`],
    ['calls', 'calls=latency'],
    ['calls-names', `calls-names=${'x'.repeat(65)}`],
    ['calls-row', `calls-row=${'x'.repeat(65)}`],
    ['call', 'call=bash@12.5'],
    ['hide', 'hide=lanes'],
    ['pairs', 'pairs=jitter'],
    ['relations', 'relations=jitter'],
    ['pair-own', 'pair-own=%0Ab'],
    ['latency-group', `latency-group=${'x'.repeat(65)}`],
    ['a', 'a=noon'],
    ['b', 'b=3@12.5'],
    ['mark', 'mark=3:note'],
    ['mark', `mark=3@1.5:${'x'.repeat(MAX_NOTE + 1)}`],
  ])('reports a bad %s and keeps the rest (%s)', (name, field) => {
    const { link, problems } = decodeFragment(`#v=1&${field}&after-sleep=1`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`“${name}”`);
    expect(link?.view.afterSleep).toBe(true);
  });

  it('applies to another trace where it fits', () => {
    const { link } = decodeFragment(encodeFragment(rich, trace, clock));
    const other = { baseNs: 0n, isNs: true };
    const applied = link && linkToView(link, other, limits, [0, 1]);
    expect(applied?.view).toMatchObject({ window: null, selection: null, colour: 'target', target: 'ua.C.x' });
    expect(applied?.view).toMatchObject({ event: null, marks: [], timeMarks: { a: null, b: null } });
    expect(applied?.view.events).toEqual(rich.events);
    expect(applied?.problems).toHaveLength(10);
  });

  it('is cut to the trace', () => {
    const link = decodeFragment('#v=1&window=1700000000.0-1700000001.0').link;
    const applied = link && linkToView(link, clock, limits, cpus);
    expect(applied?.view.window).toEqual({ start: 0, end: 876_543_211 });
  });

  it('never throws, whatever the fragment', () => {
    const pieces = [
      'v=1',
      '&',
      '=',
      '%',
      '#',
      'window',
      'select=',
      '@',
      '-',
      '9'.repeat(40),
      '.',
      'lanes=',
      'mark=3@1:',
      'events-cpus=',
      'event=',
      ',',
      '\u{1f600}',
    ];
    for (let seed = 1; seed < 800; seed += 1) {
      let text = '#v=1&';
      for (let index = 0, state = seed; index < 8; index += 1) {
        state = (state * 48271) % 2147483647;
        text += pieces[state % pieces.length];
      }
      const { link } = decodeFragment(text);
      expect(() => link && linkToView(link, clock, limits, cpus)).not.toThrow();
    }
  });
});
