import { describe, expect, it } from 'vitest';
import { type Effect, type GestureInput, gesture, noGesture, type PointerInput, type WheelInput } from './gestures';

function play(...inputs: readonly GestureInput[]): Effect[] {
  let state = noGesture;
  return inputs.flatMap((input) => {
    const step = gesture(state, input);
    state = step.state;
    return [...step.effects];
  });
}

const pointer = (
  type: PointerInput['type'],
  x: number,
  y: number,
  change: Partial<PointerInput> = {},
): PointerInput => ({
  type,
  id: 1,
  x,
  y,
  shift: false,
  pressed: type === 'down' || type === 'move',
  touch: false,
  edge: null,
  ...change,
});
const wheel = (change: Partial<WheelInput>): WheelInput => ({
  type: 'wheel',
  x: 100,
  y: 50,
  deltaX: 0,
  deltaY: 0,
  ctrl: false,
  shift: false,
  alt: false,
  ...change,
});

describe('pointers', () => {
  it('drag an edge of the range, and click on one', () => {
    const press = pointer('down', 50, 20, { edge: 'end' });
    expect(play(press, pointer('move', 52, 20), pointer('move', 80, 20), pointer('up', 90, 20))).toEqual([
      { type: 'rangeEdge', edge: 'end', x: 80, done: false },
      { type: 'rangeEdge', edge: 'end', x: 90, done: true },
    ]);
    expect(play(press, pointer('up', 50, 20))).toEqual([{ type: 'click', x: 50, y: 20 }]);
  });

  it('click when they do not move, or hardly', () => {
    expect(play(pointer('down', 10, 20), pointer('move', 12, 21), pointer('up', 12, 21))).toEqual([
      { type: 'click', x: 12, y: 21 },
    ]);
  });

  it('pan and scroll when they are dragged, and do not click then', () => {
    const effects = play(
      pointer('down', 10, 20),
      pointer('move', 30, 20),
      pointer('move', 35, 26),
      pointer('up', 35, 26),
    );
    expect(effects.filter(({ type }) => type !== 'hover')).toEqual([
      { type: 'pan', by: 20, smooth: false },
      { type: 'pan', by: 5, smooth: false },
      { type: 'scroll', by: 6 },
    ]);
  });

  it('select a range with Shift', () => {
    expect(
      play(
        pointer('down', 10, 20, { shift: true }),
        pointer('move', 50, 20, { shift: true }),
        pointer('up', 60, 20, { shift: true }),
      ),
    ).toEqual([
      { type: 'range', from: 10, to: 50, done: false },
      { type: 'range', from: 10, to: 60, done: true },
    ]);
  });

  it('hover when nothing is pressed, and leave', () => {
    expect(play(pointer('move', 5, 6, { pressed: false }), pointer('leave', 0, 0, { pressed: false }))).toEqual([
      { type: 'hover', x: 5, y: 6 },
      { type: 'leave' },
    ]);
  });

  it('pinch with two fingers', () => {
    const effects = play(
      pointer('down', 100, 0, { touch: true }),
      pointer('down', 200, 0, { id: 2, touch: true }),
      pointer('move', 300, 0, { id: 2, touch: true }),
    );
    expect(effects).toEqual([
      { type: 'pan', by: 50, smooth: false },
      { type: 'zoom', x: 200, factor: 0.5, smooth: false },
    ]);
  });

  it('do not click after a pinch', () => {
    const effects = play(
      pointer('down', 100, 0),
      pointer('down', 200, 0, { id: 2 }),
      pointer('up', 200, 0, { id: 2 }),
      pointer('up', 100, 0),
    );
    expect(effects).toEqual([]);
  });
});

describe('wheels', () => {
  it('zoom at the pointer', () => {
    const [effect] = play(wheel({ deltaY: -100 }));
    expect(effect).toMatchObject({ type: 'zoom', x: 100, smooth: true });
    expect(effect?.type === 'zoom' && effect.factor).toBeLessThan(1);
  });

  it('zoom without an animation in the small steps of a trackpad', () => {
    expect(play(wheel({ deltaY: 3, ctrl: true }))).toMatchObject([{ type: 'zoom', smooth: false }]);
  });

  it('pan with Shift, and when they go sideways', () => {
    expect(play(wheel({ deltaY: 100, shift: true }))).toEqual([{ type: 'pan', by: -100, smooth: true }]);
    expect(play(wheel({ deltaX: 10, deltaY: 2 }))).toEqual([{ type: 'pan', by: -10, smooth: false }]);
  });

  it('make lanes taller with Alt, and scroll them over the gutter', () => {
    expect(play(wheel({ deltaY: -100, alt: true }))).toMatchObject([{ type: 'laneHeight', y: 50 }]);
    expect(play(wheel({ deltaY: 30, x: -20 }))).toEqual([{ type: 'scroll', by: -30 }]);
  });
});
