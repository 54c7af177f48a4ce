/** Listens to the pointer and wheel events of an element and passes on the gestures. */
import { type Effect, type GestureInput, gesture, noGesture, type RangeEdge } from './gestures';

/** CSS pixels of a line, for wheel events in lines or pages, as browsers without pixel deltas report them. */
const LINE_PX = 16;
const PAGE_PX = 400;

/** `origin`: CSS pixels from the element's corner to the plot's. Returns a function that stops it. */
export function listenToHands(
  element: HTMLElement,
  origin: { readonly x: number; readonly y: number },
  act: (effect: Effect) => void,
  /** The edge of the range at `x`; null: none. */
  edgeAt: (x: number) => RangeEdge | null = () => null,
): () => void {
  let state = noGesture;
  const feed = (input: GestureInput): void => {
    const step = gesture(state, input);
    state = step.state;
    for (const effect of step.effects) act(effect);
  };
  const place = (event: MouseEvent): { x: number; y: number } => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left - origin.x, y: event.clientY - box.top - origin.y };
  };
  const pointer =
    (type: 'down' | 'move' | 'up' | 'cancel' | 'leave') =>
    (event: PointerEvent): void => {
      if (type === 'down') {
        if (event.button !== 0) return;
        element.setPointerCapture(event.pointerId);
      }
      const at = place(event);
      const edge = at.y < 0 ? null : edgeAt(at.x);
      if (type === 'move' && event.buttons === 0) element.classList.toggle('over-edge', edge !== null);
      feed({
        type,
        id: event.pointerId,
        ...at,
        edge,
        shift: event.shiftKey,
        pressed: event.buttons !== 0,
        touch: event.pointerType === 'touch',
      });
    };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    feed({
      type: 'wheel',
      ...place(event),
      ...wheelPixels(event),
      ctrl: event.ctrlKey || event.metaKey,
      shift: event.shiftKey,
      alt: event.altKey,
    });
  };
  const listeners = {
    pointerdown: pointer('down'),
    pointermove: pointer('move'),
    pointerup: pointer('up'),
    pointercancel: pointer('cancel'),
    pointerleave: pointer('leave'),
  };
  // The browser knows how fast a double click is.
  const twice = (event: MouseEvent): void => {
    if (event.button === 0 && !event.shiftKey) act({ type: 'doubleClick', ...place(event) });
  };
  for (const [type, listener] of Object.entries(listeners)) element.addEventListener(type, listener as EventListener);
  element.addEventListener('dblclick', twice);
  element.addEventListener('wheel', wheel, { passive: false });
  return () => {
    for (const [type, listener] of Object.entries(listeners)) {
      element.removeEventListener(type, listener as EventListener);
    }
    element.removeEventListener('dblclick', twice);
    element.removeEventListener('wheel', wheel);
  };
}

/** How far a wheel turned, in CSS pixels. */
export function wheelPixels(event: WheelEvent): { readonly deltaX: number; readonly deltaY: number } {
  const unit = event.deltaMode === 1 ? LINE_PX : event.deltaMode === 2 ? PAGE_PX : 1;
  return { deltaX: event.deltaX * unit, deltaY: event.deltaY * unit };
}
