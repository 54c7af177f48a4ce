import { describe, expect, it } from 'vitest';
import { decodeLatency, encodeLatency, initialLatency, type LatencyView, withLatency } from './latency';

function through(view: LatencyView): LatencyView {
  const fields = new Map(encodeLatency(view));
  return decodeLatency((name, decode, missing) => decode(fields.get(name) ?? '') ?? missing);
}

describe('the latency pane in a URL', () => {
  it('is not there as it begins', () => {
    expect(encodeLatency(initialLatency)).toEqual([]);
    expect(through(initialLatency)).toEqual(initialLatency);
  });

  it('is named by words', () => {
    const view: LatencyView = { measure: 'run-slept', by: 'task', span: 'window', group: '1234.1' };
    expect(encodeLatency(view)).toEqual([
      ['latency', 'run-slept,task,window'],
      ['latency-group', '1234.1'],
    ]);
    expect(through(view)).toEqual(view);
    expect(encodeLatency({ ...initialLatency, by: 'cpu' })).toEqual([['latency', 'cpu']]);
  });

  it('has no words but its own', () => {
    const read = (text: string) => {
      let bad = false;
      decodeLatency((name, decode, missing) => {
        const value = name === 'latency' ? decode(text) : missing;
        bad ||= name === 'latency' && value === null;
        return value ?? missing;
      });
      return bad;
    };
    expect(['run,task', 'wait-woken', 'window,cpu'].map(read)).toEqual([false, false, false]);
    expect(['runs', 'run,,task', 'run,socket', ''].map(read)).toEqual([true, true, true, true]);
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
