import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import type { WaitInfo } from '../../engine/protocol';
import { waitShares } from './waitShares';

const took = (pid: number, ran_ns: number) => ({
  pid,
  generation: 0,
  comm: `t${pid}`,
  ran_ns,
  run: { cpu: 2, start_ns: ns(pid) },
});

const wait: WaitInfo = {
  pid: 7,
  generation: 0,
  comm: 'late',
  since_ns: ns(1000),
  until_ns: ns(2000),
  wait_ns: 1000,
  cause: 'wakeup',
  cpu: 2,
  queues: [{ cpu: 2, from_ns: ns(1000), to_ns: ns(2000) }],
  took: [took(1, 500), took(2, 200), took(3, 100)],
  took_total: 3,
  own_idle_ns: 150,
  bound: false,
  behind_ns: 0,
  unknown_ns: 50,
  any_idle_ns: 150,
  uncertain: false,
};

describe('who had the CPU', () => {
  it('are shares of the whole wait', () => {
    const shares = waitShares(wait, 8);
    expect(shares.map(({ who, ns: time }) => [typeof who === 'string' ? who : who.pid, time])).toEqual([
      [1, 500],
      [2, 200],
      [3, 100],
      ['idle', 150],
      ['unknown', 50],
    ]);
    expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });

  it('add up when not all are listed', () => {
    const shares = waitShares(wait, 1);
    expect(shares.map(({ who }) => (typeof who === 'string' ? who : who.pid))).toEqual([
      1,
      'others',
      'idle',
      'unknown',
    ]);
    expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    // The engine, too, lists only the longest ones.
    const cut = waitShares({ ...wait, took: [took(1, 500)], took_total: 900 }, 8);
    expect(cut[1]).toMatchObject({ who: 'others', ns: 300 });
  });

  it('are nobody when a wait has no length', () => {
    expect(waitShares({ ...wait, wait_ns: 0, took: [], took_total: 0, own_idle_ns: 0, unknown_ns: 0 }, 8)).toEqual([]);
  });
});
