import { describe, expect, it } from 'vitest';
import { observable } from '../base/observable';
import { ns } from '../base/units';
import { EngineClient } from '../engine/client';
import type { Topology } from '../engine/protocol';
import { firstChoice } from '../gl/choice';
import { createHoverStore } from '../state/hover';
import { noRun } from '../state/selectedRun';
import { createStore } from '../state/store';
import { noSession, type Session } from '../state/traces';
import { sceneThemes } from './frame/theme';
import { RestingPointer } from './input/restingPointer';
import { type FrameModel, TraceScene } from './traceScene';

const store = createStore();
const hover = createHoverStore();
const window = { start: ns(1000), end: ns(3000) };

function traceScene(id: number, offset: number): TraceScene {
  const source = {
    id,
    engine: new EngineClient(),
    session: observable<Session>(noSession),
    offset: ns(offset),
    topology: observable<Topology | null>(null),
    selected: { ...observable(noRun), selectKnown: () => {} },
  };
  return new TraceScene(source, {
    announce: () => {},
    store,
    hover,
    pointer: new RestingPointer(),
    graphics: observable(firstChoice('2d')),
    theme: () => 'light',
    invalidate: () => {},
    jump: () => {},
    draft: () => {},
    isRestored: () => false,
  });
}

function frame(): FrameModel {
  const view = { ...store.getState(), event: { cpu: 0, at: ns(5) }, timeMarks: { a: ns(1500), b: null } };
  return {
    view,
    hover: hover.get(),
    window,
    target: window,
    everything: { start: ns(0), end: ns(9000) },
    origin: ns(100),
    theme: sceneThemes.light,
    range: null,
  };
}

describe('the traces of a scene', () => {
  it('draw the same instants, each in its own time', () => {
    hover.set({ at: ns(2000), trace: 0, cpu: 3 });
    const whole = frame();
    const first = traceScene(0, 0).model(whole);
    expect(first).toMatchObject(whole);
    const second = traceScene(1, 600).model(whole);
    expect(second.window).toEqual({ start: 400, end: 2400 });
    expect(second.everything).toEqual({ start: -600, end: 8400 });
    expect(second.view.timeMarks).toEqual({ a: 900, b: null });
    // The windows show the same time on the common axis.
    expect(second.window.start - second.origin).toBe(first.window.start - first.origin);
  });

  it('have lanes and events of their own', () => {
    hover.set({ at: ns(2000), trace: 1, cpu: 3 });
    const [first, second] = [traceScene(0, 0).model(frame()), traceScene(1, 600).model(frame())];
    expect(first.hover).toMatchObject({ at: 2000, cpu: null });
    expect(second.hover).toMatchObject({ at: 1400, cpu: 3 });
    expect(first.view.event).not.toBeNull();
    expect(second.view.event).toBeNull();
  });

  it('follow the view no longer once they are gone', () => {
    const [kept, gone] = [traceScene(0, 0), traceScene(1, 600)];
    gone.dispose();
    const cursor = { task: 1, at: ns(5), state: null };
    for (const { tasks } of [kept, gone]) tasks.cursor.set(cursor);
    store.dispatch({ type: 'clear' });
    expect(kept.tasks.cursor.get()).toBeNull();
    expect(gone.tasks.cursor.get()).toBe(cursor);
  });
});
