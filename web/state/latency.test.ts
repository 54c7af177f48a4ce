import { describe, expect, it } from 'vitest';
import { initialLatency, type LatencyView, withLatency } from './latency';
import { decodeFragment, encodeFragment } from './url/codec';
import { initialView } from './viewState';

const encode = (latency: LatencyView): string =>
  encodeFragment({ ...initialView, latency }, { name: 'a', fingerprint: 'ab' }, { baseNs: 0n, isNs: true });

const through = (view: LatencyView): LatencyView | undefined => decodeFragment(encode(view)).link?.view.latency;

describe('the latency pane in a URL', () => {
  it('is not there as it begins', () => {
    expect(encode(initialLatency)).toBe('#v=1&trace=a&fp=ab');
    expect(through(initialLatency)).toEqual(initialLatency);
  });

  it('is named by words', () => {
    const view: LatencyView = { measure: 'run-slept', by: 'task', span: 'window', group: '1234.1' };
    expect(encode(view)).toBe('#v=1&trace=a&fp=ab&latency=run-slept,task,window&latency-group=1234.1');
    expect(through(view)).toEqual(view);
    expect(encode({ ...initialLatency, by: 'cpu' })).toBe('#v=1&trace=a&fp=ab&latency=cpu');
  });

  it('has no words but its own', () => {
    const isBad = (text: string) => decodeFragment(`#v=1&latency=${text}`).problems.length > 0;
    expect(['run,task', 'wait-woken', 'window,cpu'].map(isBad)).toEqual([false, false, false]);
    expect(['runs', 'run,,task', 'run,socket', ''].map(isBad)).toEqual([true, true, true, true]);
  });
});

describe('another grouping', () => {
  it('leaves the group, which is none of its own', () => {
    const view: LatencyView = { ...initialLatency, group: 'hackbench' };
    expect(withLatency(view, { by: 'cpu' })).toEqual({ ...initialLatency, by: 'cpu' });
    expect(withLatency(view, { by: 'command', measure: 'wait' }).group).toBe('hackbench');
    expect(withLatency(view, { by: 'task', group: '12' }).group).toBe('12');
  });
});
