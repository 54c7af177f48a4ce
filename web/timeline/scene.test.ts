import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { observable } from '../base/observable';
import { ns } from '../base/units';
import { EngineClient } from '../engine/client';
import type { Topology } from '../engine/protocol';
import { FIRST_TRACE } from '../engine/protocolTracks';
import { createHoverStore } from '../state/hover';
import { noRun } from '../state/selectedRun';
import { createStore } from '../state/store';
import { noSession, type Session } from '../state/traces';
import { Scene } from './scene';

const asked: FrameRequestCallback[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => asked.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => {});
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a frame is drawn for what panes show, not for the lists of the page', () => {
  const store = createStore();
  const first = {
    id: FIRST_TRACE,
    engine: new EngineClient(),
    session: observable<Session>(noSession),
    offset: ns(0),
    topology: observable<Topology | null>(null),
    selected: { ...observable(noRun), selectKnown: () => {} },
  };
  const scene = new Scene({
    first,
    store,
    hover: createHoverStore(),
    theme: 'light',
    graphics: '2d',
    announce: () => {},
  });
  const frames = (): number => {
    for (const frame of asked.splice(0)) frame(0);
    return scene.drawState().frames;
  };
  store.dispatch({ type: 'depth', on: true });
  const before = frames();
  store.dispatch({ type: 'events', change: { open: true, cpus: [1] }, typing: true });
  store.dispatch({ type: 'tab', tab: 'relations' });
  expect(frames()).toBe(before);
  store.dispatch({ type: 'colour', colour: 'load' });
  expect(frames()).toBe(before + 1);
  store.setLimits({ span: ns(100), afterSleep: null, lanes: 1 });
  expect(frames()).toBe(before + 2);
  scene.dispose();
});
