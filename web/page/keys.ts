/** What every key does, in one table: the help dialog shows it, the page obeys it. */
import type { Control } from './controls';
import { markEvent, unmarkEvent } from './events/markEvent';
import { stepFinding } from './findings/stepFinding';
import { setTimeMark } from './markTime';
import { rangeHere, stepChain } from './navigate';
import type { Page } from './page';
import { showChainLanes } from './taskLanes';
import { NOT_LOADED } from './words';

export interface KeyCommand {
  /** The key's names in the help dialog; empty when it is another key for the command above. */
  readonly names: readonly string[];
  readonly text: string;
  readonly group: 'Time' | 'Runs' | 'Tasks' | 'Events' | 'View' | 'Page';
  /** As in `KeyboardEvent.key`, letters in lower case. Without a key, the scene handles it. */
  readonly key?: string;
  readonly ctrl?: boolean;
  /** The command needs Shift; without this field it makes no difference whether Shift is held. */
  readonly shift?: boolean;
  readonly run?: (page: Page, ui: PageUi) => void | Promise<void>;
}

/** What keys change on the page that is not part of the view. */
export interface PageUi {
  readonly openFile: () => void;
  readonly toggleHelp: () => void;
  readonly exportFigure: () => void;
  /** Saves the trace, or a part of it, for other viewers. */
  readonly exportTrace: () => void;
  readonly openPalette: () => void;
  /** What presses a control; null: it is not there now. */
  readonly control: (control: Control) => (() => void) | null;
  /** Gives the task of the selected run a lane, or closes it. */
  readonly toggleTaskLane: () => void;
  /** Opens the list of events, to which the keys then go, or closes it. */
  readonly toggleEvents: () => void;
  /** Puts the cursor into the filter. */
  readonly filter: () => void;
  /** Opens the list of events and puts the cursor into its search. */
  readonly searchEvents: () => void;
}

export function openPalette(_page: Page, ui: PageUi): void {
  ui.openPalette();
}

export const KEY_COMMANDS: readonly KeyCommand[] = [
  { names: ['W', '+'], text: 'Zoom in, at the pointer or the middle', group: 'Time' },
  { names: ['S', '-'], text: 'Zoom out', group: 'Time' },
  { names: ['A', '←'], text: 'Earlier', group: 'Time' },
  { names: ['D', '→'], text: 'Later', group: 'Time' },
  { names: ['Shift'], text: 'With these: larger steps', group: 'Time' },
  { names: ['F'], text: 'Zoom to the selected run; again: to the range; again: the whole trace', group: 'Time' },
  { names: ['Enter'], text: 'Zoom to the range, else to the selected run', group: 'Time' },
  { names: ['0'], text: 'The whole trace', group: 'Time' },
  {
    key: 'a',
    shift: true,
    names: ['Shift+A', 'Shift+B'],
    text: 'Set mark A, B at the pointer, else at the selected run, else in the middle; there again: remove it',
    group: 'Time',
    run: (page) => setTimeMark(page, 'a'),
  },
  { key: 'b', shift: true, names: [], text: '', group: 'Time', run: (page) => setTimeMark(page, 'b') },
  { names: [',', '.'], text: 'Previous, next run on the lane', group: 'Runs' },
  { names: ['Shift+↑', 'Shift+↓'], text: 'What runs at that time on the CPU above, below', group: 'Runs' },
  {
    key: '[',
    names: ['['],
    text: 'Back along the wakeup chain: to the waker',
    group: 'Runs',
    run: (page) => void stepChain(page, -1),
  },
  {
    key: ']',
    names: [']'],
    text: 'Forwards along the wakeup chain',
    group: 'Runs',
    run: (page) => void stepChain(page, 1),
  },
  {
    key: '<',
    names: ['<', '>'],
    text: 'Move mark A to the event before, after; the tab Instant shows what each CPU does then',
    group: 'Runs',
    run: (page) => void stepInstant(page, -1),
  },
  { key: '>', names: [], text: '', group: 'Runs', run: (page) => void stepInstant(page, 1) },
  {
    key: 'r',
    names: ['R'],
    text: 'Make the selected run, else the window, the time range',
    group: 'Runs',
    run: (page) => void rangeHere(page),
  },
  { key: 'n', names: ['N', 'P'], text: 'Next, previous finding', group: 'Runs', run: (page) => stepFinding(page, 1) },
  { key: 'p', names: [], text: '', group: 'Runs', run: (page) => stepFinding(page, -1) },
  {
    key: 'y',
    names: ['Y'],
    text: 'Copy the range, else the window, as text for a mail, with the events of its longest wait',
    group: 'Runs',
    run: (page) => loaded(page, import('./mail/copyRange'), ({ copyRange }) => copyRange(page)),
  },
  {
    key: 'l',
    names: ['L'],
    text: 'Open or close the lane of the selected run’s task; else those of the highlighted commands’ tasks',
    group: 'Tasks',
    run: (_page, ui) => ui.toggleTaskLane(),
  },
  {
    key: 'c',
    names: ['C'],
    text: 'Lanes for the tasks of the wakeup chain',
    group: 'Tasks',
    run: (page) => void showChainLanes(page),
  },
  { names: ['↑', '↓'], text: 'On the task lanes: other lanes', group: 'Tasks' },
  { names: [',', '.'], text: 'On the task lanes: previous, next state', group: 'Tasks' },
  { names: ['Enter'], text: 'On the task lanes: to the run, or the one that a wait led to', group: 'Tasks' },
  { names: ['Delete'], text: 'On the task lanes: close the lane', group: 'Tasks' },
  {
    key: 'e',
    names: ['E'],
    text: 'Open or close the list of events',
    group: 'Events',
    run: (_page, ui) => ui.toggleEvents(),
  },
  {
    key: '/',
    names: ['/', 'Ctrl+F'],
    text: 'Search in the list; Enter for the next hit, Shift+Enter for the one before',
    group: 'Events',
    run: (_page, ui) => ui.searchEvents(),
  },
  {
    key: 'f',
    ctrl: true,
    shift: true,
    names: ['Ctrl+Shift+F'],
    text: 'Filter: marks events on the lanes',
    group: 'Events',
    run: (_page, ui) => ui.filter(),
  },
  { key: 'f', ctrl: true, names: [], text: '', group: 'Events', run: (_page, ui) => ui.searchEvents() },
  {
    key: 'h',
    shift: true,
    names: ['H', 'Shift+H'],
    text: 'Next, previous event that passes the filter',
    group: 'Events',
    run: (page) => void step(page, -1),
  },
  { key: 'h', names: [], text: '', group: 'Events', run: (page) => void step(page, 1) },
  {
    key: 'm',
    names: ['M'],
    text: 'Mark the current event on the lanes, with a note',
    group: 'Events',
    run: (page) => void markEvent(page),
  },
  {
    key: 'Delete',
    names: ['Delete'],
    text: 'Remove the mark of the current event',
    group: 'Events',
    run: unmarkEvent,
  },
  { key: 'Backspace', names: [], text: '', group: 'Events', run: unmarkEvent },
  { names: ['↑', '↓', 'PgUp', 'PgDn'], text: 'In the list: other events; with Shift a range', group: 'Events' },
  { names: ['Enter'], text: 'In the list: to this event and its run on the lanes', group: 'Events' },
  { names: ['Ctrl+C'], text: 'In the list: copy the selected events as text', group: 'Events' },
  {
    key: 'q',
    names: ['Q'],
    text: 'Queues: show or hide how many tasks wait on each CPU’s runqueue',
    group: 'View',
    run: ({ store }) => store.dispatch({ type: 'depth', on: !store.getState().depth }),
  },
  { names: ['↑', '↓'], text: 'Scroll the lanes', group: 'View' },
  { key: 't', names: ['T'], text: 'Taller lanes', group: 'View', run: (page) => scaleLanes(page, 1.5) },
  {
    names: ['V'],
    text: 'Open or close a lens at the pointer, in which thin lanes can be read and clicked',
    group: 'View',
  },
  {
    key: 'g',
    names: ['G'],
    text: 'Shorter lanes, until all fit',
    group: 'View',
    run: (page) => scaleLanes(page, 1 / 1.5),
  },
  {
    key: 'z',
    ctrl: true,
    shift: true,
    names: ['Ctrl+Shift+Z', 'Ctrl+Y'],
    text: 'Redo what was undone',
    group: 'View',
    run: (page) => page.redo(),
  },
  { key: 'y', ctrl: true, names: [], text: '', group: 'View', run: (page) => page.redo() },
  {
    key: 'z',
    ctrl: true,
    names: ['Ctrl+Z'],
    text: 'Undo the last step of the view: a zoom, a pan, a choice, a mark or note; never leaves the trace',
    group: 'View',
    run: (page) => page.undo(),
  },
  {
    names: ['Alt+←', 'Alt+→'],
    text: 'The browser’s history: back and forward through choices and traces',
    group: 'View',
  },
  {
    key: 'Escape',
    names: ['Esc'],
    text: 'Clear the selection, the current event, the range and the highlighted commands',
    group: 'View',
    run: ({ store }) => store.dispatch({ type: 'clear' }),
  },
  { key: 'o', ctrl: true, names: ['Ctrl+O'], text: 'Open a trace', group: 'Page', run: (_page, ui) => ui.openFile() },
  {
    key: 'x',
    names: ['X', 'Ctrl+S'],
    text: 'Export what the page shows as a figure',
    group: 'Page',
    run: (_page, ui) => ui.exportFigure(),
  },
  {
    key: 's',
    ctrl: true,
    shift: true,
    names: ['Ctrl+Shift+S'],
    text: 'Save the view with its notes as a file, which asks for the trace where it is dropped',
    group: 'Page',
    run: (page) => loaded(page, import('./views/saveView'), ({ saveView }) => saveView(page)),
  },
  { key: 's', ctrl: true, names: [], text: '', group: 'Page', run: (_page, ui) => ui.exportFigure() },
  {
    key: 'k',
    ctrl: true,
    names: ['Ctrl+K', 'Ctrl+Shift+P'],
    text: 'Find an action, a command, a PID, a CPU or an instant',
    group: 'Page',
    run: openPalette,
  },
  { key: 'p', ctrl: true, shift: true, names: [], text: '', group: 'Page', run: openPalette },
  { key: '?', names: ['?'], text: 'This help', group: 'Page', run: (_page, ui) => ui.toggleHelp() },
];

/** Runs what first visits do not need, once it is loaded; says so if it cannot be. */
async function loaded<Module>(page: Page, loading: Promise<Module>, run: (module: Module) => unknown): Promise<void> {
  const module = await loading.catch(() => null);
  if (module === null) page.announce(NOT_LOADED);
  else await run(module);
}

const step = (page: Page, direction: -1 | 1): Promise<void> =>
  loaded(page, import('./hits/stepHit'), ({ stepHit }) => stepHit(page, direction));

const stepInstant = (page: Page, direction: -1 | 1): Promise<void> =>
  loaded(page, import('./instant/stepInstant'), (module) => module.stepInstant(page, direction));

function scaleLanes({ store }: Page, by: number): void {
  const { laneScale, laneScroll } = store.getState();
  store.dispatch({ type: 'lanes', scale: laneScale * by, scroll: laneScroll });
}

export const GESTURES: readonly { readonly names: readonly string[]; readonly text: string }[] = [
  { names: ['Wheel', 'Pinch'], text: 'Zoom at the pointer' },
  { names: ['Drag', 'Shift+Wheel'], text: 'Pan' },
  { names: ['Shift+Drag'], text: 'Select a time range' },
  { names: ['Right click'], text: 'On lanes, labels, curves: what can be done there, with its keys' },
  { names: ['Drag'], text: 'An edge of the range: to another instant' },
  { names: ['Drag'], text: 'The letter of mark A or B: to another instant' },
  { names: ['Alt+Wheel'], text: 'Taller or shorter lanes' },
  { names: ['Click'], text: 'On a run: its details and wakeup chain' },
  { names: ['Double click'], text: 'On a run: zoom to it' },
  { names: ['Click'], text: 'On a CPU’s label: its menu' },
  { names: ['Click'], text: 'On the strip below the curve: the overload there' },
  { names: ['Click'], text: 'On the flag of a mark: its event becomes the current one' },
  { names: ['Click'], text: 'On an event of the list: to it and its run; with Shift a range' },
  { names: ['Click'], text: 'On a command: highlight it in every pane' },
  { names: ['Double click'], text: 'On a command: make it the target' },
];

/** The command of a key press; null when the key has none here, or when an input field takes it. */
export function commandFor(event: KeyboardEvent): KeyCommand | null {
  if (event.altKey || event.defaultPrevented || takesKey(event.target, event.key)) {
    return null;
  }
  const ctrl = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const fits = (command: KeyCommand): boolean =>
    command.key === key && (command.ctrl ?? false) === ctrl && (!command.shift || event.shiftKey);
  return KEY_COMMANDS.find(fits) ?? null;
}

/**
 * Input fields take what can be typed, open dialogs every key. One that was just closed takes none, though the browser leaves the
 * focus in it until the next frame.
 */
function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) {
    return false;
  }
  const dialog = target.closest('dialog');
  if (dialog !== null) {
    return dialog.open;
  }
  const isField = target.matches('input:not([type=radio], [type=checkbox]), textarea, select');
  return isField && key !== 'Escape';
}
