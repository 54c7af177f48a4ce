/**
 * Turns pointer and wheel events into gestures. A pure reducer: state and event in, state and effects out. Positions
 * are CSS pixels in the plot; a position left of it (in the gutter) is negative.
 */

export type RangeEdge = 'start' | 'end';

export interface PointerInput {
  readonly type: 'down' | 'move' | 'up' | 'cancel' | 'leave';
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly shift: boolean;
  /** Whether a button is held, or the finger is on the screen. */
  readonly pressed: boolean;
  readonly touch: boolean;
  /** The edge of the range below the pointer; null: none. */
  readonly edge: RangeEdge | null;
}

export interface WheelInput {
  readonly type: 'wheel';
  readonly x: number;
  readonly y: number;
  /** In CSS pixels. */
  readonly deltaX: number;
  readonly deltaY: number;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

export type GestureInput = PointerInput | WheelInput;

export type Effect =
  /** `smooth`: a single step, to be animated, rather than part of a continuous movement. */
  | { readonly type: 'zoom'; readonly x: number; readonly factor: number; readonly smooth: boolean }
  /** Moves what was at 0 to `by`. */
  | { readonly type: 'pan'; readonly by: number; readonly smooth: boolean }
  | { readonly type: 'scroll'; readonly by: number }
  | { readonly type: 'laneHeight'; readonly y: number; readonly factor: number }
  | { readonly type: 'range'; readonly from: number; readonly to: number; readonly done: boolean }
  | { readonly type: 'rangeEdge'; readonly edge: RangeEdge; readonly x: number; readonly done: boolean }
  | { readonly type: 'click'; readonly x: number; readonly y: number }
  /** After the click of each of its presses. */
  | { readonly type: 'doubleClick'; readonly x: number; readonly y: number }
  | { readonly type: 'hover'; readonly x: number; readonly y: number }
  | { readonly type: 'leave' };

interface Finger {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export interface GestureState {
  readonly mode: 'idle' | 'pressed' | 'panning' | 'ranging' | 'edging' | 'pinching';
  /** The edge of the range that was below the pointer when it was pressed. */
  readonly edge: RangeEdge | null;
  readonly fingers: readonly Finger[];
  readonly startX: number;
  readonly startY: number;
}

export const noGesture: GestureState = { mode: 'idle', edge: null, fingers: [], startX: 0, startY: 0 };

/** How far a press may move and still be a click. */
export const CLICK_SLOP = 4;
/** A wheel that moves by this much at once has notches: its steps are animated. */
const NOTCH = 40;

export interface Step {
  readonly state: GestureState;
  readonly effects: readonly Effect[];
}

export function gesture(state: GestureState, input: GestureInput): Step {
  switch (input.type) {
    case 'wheel':
      return { state, effects: [wheel(input)] };
    case 'down':
      return down(state, input);
    case 'move':
      return move(state, input);
    case 'up':
      return up(state, input);
    case 'cancel':
      return { state: noGesture, effects: [{ type: 'leave' }] };
    case 'leave':
      return state.mode === 'idle' ? { state, effects: [{ type: 'leave' }] } : { state, effects: [] };
  }
}

/** By how much a wheel that turned by so many CSS pixels changes the window's width. */
export const wheelFactor = (deltaY: number): number => Math.exp(deltaY * 0.0025);

function wheel(input: WheelInput): Effect {
  const { deltaX, deltaY } = input;
  const most = Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : deltaY;
  const smooth = Math.abs(most) >= NOTCH;
  if (input.alt) return { type: 'laneHeight', y: input.y, factor: Math.exp(-most * 0.002) };
  if (input.ctrl) {
    // Browsers report a pinch on a trackpad as a wheel with Ctrl and small steps.
    return { type: 'zoom', x: input.x, factor: smooth ? wheelFactor(deltaY) : Math.exp(deltaY * 0.01), smooth };
  }
  if (input.shift || Math.abs(deltaX) > Math.abs(deltaY)) return { type: 'pan', by: -most, smooth };
  if (input.x < 0) return { type: 'scroll', by: -deltaY };
  return { type: 'zoom', x: input.x, factor: wheelFactor(deltaY), smooth };
}

function down(state: GestureState, input: PointerInput): Step {
  const fingers = [...state.fingers.filter(({ id }) => id !== input.id), { id: input.id, x: input.x, y: input.y }];
  const mode = fingers.length > 1 ? 'pinching' : input.shift ? 'ranging' : 'pressed';
  const edge = mode === 'pressed' ? input.edge : null;
  return { state: { mode, edge, fingers, startX: input.x, startY: input.y }, effects: [] };
}

function move(state: GestureState, input: PointerInput): Step {
  const last = state.fingers.find(({ id }) => id === input.id);
  if (last === undefined || !input.pressed) {
    return { state: noGesture, effects: [{ type: 'hover', x: input.x, y: input.y }] };
  }
  const fingers = state.fingers.map((finger) =>
    finger.id === input.id ? { id: input.id, x: input.x, y: input.y } : finger,
  );
  const moved = { ...state, fingers };
  switch (state.mode) {
    case 'pressed':
      if (Math.hypot(input.x - state.startX, input.y - state.startY) < CLICK_SLOP) return { state, effects: [] };
      if (state.edge !== null) return { state: { ...moved, mode: 'edging' }, effects: edge(state, input, false) };
      return { state: { ...moved, mode: 'panning' }, effects: pan(last, input) };
    case 'panning':
      return { state: moved, effects: pan(last, input) };
    case 'ranging':
      return { state: moved, effects: [{ type: 'range', from: state.startX, to: input.x, done: false }] };
    case 'edging':
      return { state: moved, effects: edge(state, input, false) };
    case 'pinching':
      return { state: moved, effects: pinch(state.fingers, fingers) };
    case 'idle':
      return { state: moved, effects: [] };
  }
}

function pan(last: Finger, input: PointerInput): Effect[] {
  const effects: Effect[] = [];
  if (input.x !== last.x) effects.push({ type: 'pan', by: input.x - last.x, smooth: false });
  if (input.y !== last.y) effects.push({ type: 'scroll', by: input.y - last.y });
  // The pointer stays over the same instant, but the instant may stop at the end of the trace.
  effects.push({ type: 'hover', x: input.x, y: input.y });
  return effects;
}

const edge = (state: GestureState, { x }: PointerInput, done: boolean): Effect[] =>
  state.edge === null ? [] : [{ type: 'rangeEdge', edge: state.edge, x, done }];

function pinch(before: readonly Finger[], after: readonly Finger[]): Effect[] {
  const [a, b] = before;
  const [c, d] = after;
  if (!a || !b || !c || !d) return [];
  const was = Math.max(8, Math.abs(a.x - b.x));
  const is = Math.max(8, Math.abs(c.x - d.x));
  const middle = (c.x + d.x) / 2;
  return [
    { type: 'pan', by: middle - (a.x + b.x) / 2, smooth: false },
    { type: 'zoom', x: middle, factor: was / is, smooth: false },
  ];
}

function up(state: GestureState, input: PointerInput): Step {
  const fingers = state.fingers.filter(({ id }) => id !== input.id);
  const after: GestureState =
    fingers.length === 0 ? noGesture : { ...noGesture, mode: 'panning', fingers, startX: input.x, startY: input.y };
  const effects: Effect[] = [];
  const known = fingers.length < state.fingers.length;
  if (known && state.mode === 'pressed') effects.push({ type: 'click', x: input.x, y: input.y });
  if (known && state.mode === 'edging') effects.push(...edge(state, input, true));
  if (known && state.mode === 'ranging') {
    const wide = Math.abs(input.x - state.startX) >= CLICK_SLOP;
    // Shift and a click without a movement: no range.
    effects.push({ type: 'range', from: state.startX, to: wide ? input.x : state.startX, done: true });
  }
  if (input.touch) effects.push({ type: 'leave' });
  return { state: after, effects };
}
