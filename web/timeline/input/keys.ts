/** The keys of the time axis: a pure map from keys to commands. */

export interface KeyInput {
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
}

export type KeyCommand = AxisCommand | { readonly type: 'lens' };

/** What changes the view. */
export type AxisCommand =
  | { readonly type: 'zoom'; readonly factor: number }
  /** Moves the window by a share of its width; positive is later. */
  | { readonly type: 'pan'; readonly share: number }
  /** Scrolls by lanes; positive is down. */
  | { readonly type: 'scroll'; readonly lanes: number }
  /** Shows the selection; again: the range; again: everything. */
  | { readonly type: 'focus' }
  | { readonly type: 'fit' }
  | { readonly type: 'zoomToRange' }
  /** Selects the run before or after the selected one, on its lane. */
  | { readonly type: 'step'; readonly direction: -1 | 1 }
  /** Selects what runs at the same time on the lane above or below. */
  | { readonly type: 'lane'; readonly direction: -1 | 1 };

/** The command of a key; null: the time axis does not use it. */
export function keyCommand(input: KeyInput): KeyCommand | null {
  if (input.ctrl || input.alt || input.meta) return null;
  // Shift moves and zooms in large steps.
  const share = input.shift ? 0.5 : 0.125;
  const factor = input.shift ? 2 : 1.4;
  switch (input.key) {
    case 'w':
    case 'W':
    case '+':
    case '=':
      return { type: 'zoom', factor: 1 / factor };
    case 's':
    case 'S':
    case '-':
    case '_':
      return { type: 'zoom', factor };
    case 'a':
    case 'ArrowLeft':
      return { type: 'pan', share: -share };
    case 'd':
    case 'D':
    case 'ArrowRight':
      return { type: 'pan', share };
    case 'ArrowUp':
      return input.shift ? { type: 'lane', direction: -1 } : { type: 'scroll', lanes: -1 };
    case 'ArrowDown':
      return input.shift ? { type: 'lane', direction: 1 } : { type: 'scroll', lanes: 1 };
    case 'f':
    case 'F':
      return { type: 'focus' };
    case 'Enter':
      return { type: 'zoomToRange' };
    case '0':
      return { type: 'fit' };
    case 'v':
    case 'V':
      return { type: 'lens' };
    case ',':
      return { type: 'step', direction: -1 };
    case '.':
      return { type: 'step', direction: 1 };
    default:
      return null;
  }
}

/** Elements into which text is typed. Others say which keys they used by preventing their default. */
const TYPED = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"], dialog';

/** Whether a key pressed on `target` is meant for it and not for the time axis. */
export function keepsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPED) !== null) return true;
  if (target.matches('input[type="radio"]')) return key.startsWith('Arrow');
  return key === 'Enter' && target.closest('button, a[href], summary, [role="button"]') !== null;
}
