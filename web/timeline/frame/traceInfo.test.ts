import { expect, it } from 'vitest';
import { ns } from '../../base/units';
import type { EngineEvent, Metadata, Summary } from '../../engine/protocol';
import { limitsOf, loading, noSession, type Origin, type Session, sessionAfter } from '../../state/traces';
import { noLimits } from '../../state/viewState';
import { traceInfoOf } from './traceInfo';

const origin: Origin = { source: { kind: 'url', url: 'a.dat' }, query: 'a.dat', name: 'a.dat' };
const metadata = { cpus: [0, 1, 2], clock_is_ns: true } as unknown as Metadata;
const pids = Int32Array.of(0, 7);
const summary = {
  cpus: [0, 1, 2],
  span: ns(900),
  after_sleep: ns(100),
  clock_is_ns: true,
  tasks: { pid: pids },
  comms: ['a'],
} as unknown as Summary;
const events = {
  metadata: { type: 'metadata', session: 4, metadata },
  progress: { type: 'progress', session: 4, progress: {} },
  preview: { type: 'preview', session: 4, end: ns(500), cpusDone: [0], pids, comms: ['a', 'b'] },
  same: { type: 'preview', session: 4, end: ns(600), cpusDone: [0], pids, comms: [] },
  more: { type: 'preview', session: 4, end: ns(700), cpusDone: [0], pids, comms: ['c'] },
  opened: { type: 'opened', session: 4, summary },
  failed: { type: 'failed', session: 4, error: { what: 'no magic' } },
} as unknown as Record<string, EngineEvent>;

const after = (...names: readonly string[]): Session =>
  names.reduce(
    (session, name) => {
      const event = events[name];
      if (!event) throw new Error(name);
      return sessionAfter(session, event);
    },
    loading(origin, 4),
  );

const limitsAfter = (session: Session) => limitsOf([{ offset: ns(0), session }]);

it('knows more of a trace with each event, and so do the limits and the scene', () => {
  expect(limitsAfter(after('metadata'))).toEqual(noLimits);
  expect(traceInfoOf(after())).toBeNull();
  expect(traceInfoOf(after('metadata'))).toMatchObject({ session: 4, stage: 'metadata', cpus: [0, 1, 2], span: 0 });
  const preview = after('metadata', 'preview');
  expect(limitsAfter(preview)).toEqual({ span: 500, afterSleep: null, lanes: 3 });
  expect(traceInfoOf(preview)).toMatchObject({ stage: 'preview', span: 500, pids, scanned: new Set([0]) });
  const open = after('metadata', 'preview', 'opened');
  expect(open).toEqual({ kind: 'open', number: 4, origin, summary });
  expect(limitsAfter(open)).toEqual({ span: 900, afterSleep: 100, lanes: 3 });
  expect(traceInfoOf(open)).toMatchObject({
    session: 4,
    stage: 'opened',
    span: 900,
    comms: ['a'],
    scanned: new Set([0, 1, 2]),
  });
});

it('keeps the names that earlier previews told', () => {
  const { preview, same } = events;
  if (!preview || !same) throw new Error('no previews');
  const first = sessionAfter(after('metadata'), preview);
  const second = sessionAfter(first, same);
  expect(traceInfoOf(second)).toMatchObject({ span: 600, comms: ['a', 'b'] });
  // The same object: no colours are made anew.
  expect(traceInfoOf(second)?.comms).toBe(traceInfoOf(first)?.comms);
  expect(traceInfoOf(after('metadata', 'preview', 'same', 'more'))?.comms).toEqual(['a', 'b', 'c']);
});

it('says the same to the scene as long as only progress is made', () => {
  const before = after('metadata', 'preview');
  const event = events.progress;
  if (!event) throw new Error('progress');
  expect(traceInfoOf(sessionAfter(before, event))).toBe(traceInfoOf(before));
});

it('knows nothing of a trace that failed, that was lost, or that is not there', () => {
  for (const session of [after('metadata', 'failed'), after('metadata', 'opened', 'failed'), noSession]) {
    expect(limitsAfter(session)).toEqual(noLimits);
    expect(traceInfoOf(session)).toBeNull();
  }
  expect(after('metadata', 'opened', 'failed')).toEqual({ kind: 'failed', origin, error: { what: 'no magic' } });
});
