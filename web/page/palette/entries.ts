/** What the palette offers: every action of the page, and ways to what the trace holds. */

import { ns } from '../../base/units';
import { DETAILS_TABS } from '../../state/details';
import { timeBounds, timeOrigin, type ViewState, visibleWindow } from '../../state/viewState';
import { showBusyCpus, showCpus } from '../chosenCpus';
import { COLOURS } from '../colourWords';
import type { Control } from '../controls';
import { copyLink } from '../copyLink';
import { KEY_COMMANDS, openPalette, type PageUi } from '../keys';
import type { Page } from '../page';
import { showLanesOfCommands, showLanesOfTasks } from '../taskLanes';

export interface Entry {
  readonly text: string;
  /** The names of the keys that do the same. */
  readonly keys: readonly string[];
  readonly run: () => void;
  /** What to do first, because the action can do nothing now; absent: it can be done. */
  readonly first?: string | null;
}

/** A key of the time axis. */
type Press = Required<Pick<KeyboardEventInit, 'key'>> & Pick<KeyboardEventInit, 'shiftKey'>;

/** The keys of the time axis as entries. */
const TIME_KEYS: readonly (Press & Omit<Entry, 'run'>)[] = [
  { key: 'w', text: 'Zoom in', keys: ['W', '+'] },
  { key: 's', text: 'Zoom out', keys: ['S', '-'] },
  { key: 'a', text: 'Earlier', keys: ['A', '←'] },
  { key: 'd', text: 'Later', keys: ['D', '→'] },
  { key: 'f', text: 'Zoom to the run, the range, the whole trace in turn', keys: ['F'] },
  { key: 'Enter', text: 'Zoom to the range or the run', keys: ['Enter'] },
  { key: '0', text: 'Show the whole trace', keys: ['0'] },
  { key: ',', text: 'Previous run on the lane', keys: [','] },
  { key: '.', text: 'Next run on the lane', keys: ['.'] },
  { key: 'v', text: 'Show or hide the lens below the pointer', keys: ['V'] },
  { key: 'ArrowUp', shiftKey: true, text: 'What runs at that time on the CPU above', keys: ['Shift+↑'] },
  { key: 'ArrowDown', shiftKey: true, text: 'What runs at that time on the CPU below', keys: ['Shift+↓'] },
];

/** Keys whose texts in the help are about two of them, or none, or explain more than a list of actions has room for. */
const SINGLE: Readonly<Record<string, string>> = {
  'Shift+A': 'Set mark A',
  'Shift+B': 'Set mark B',
  '<': 'Move mark A to the event before',
  '>': 'Move mark A to the event after',
  '[': 'Go back along the wakeup chain',
  ']': 'Go forwards along the wakeup chain',
  R: 'Make the run or the window the range',
  Y: 'Copy the range as text for a mail',
  L: 'Show or close the task’s lane',
  C: 'Show lanes of the wakeup chain',
  M: 'Mark the current event with a note',
  Q: 'Show or hide queues',
  'Ctrl+Z': 'Undo the last step of the view',
  'Ctrl+Shift+S': 'Save the view as a file',
  N: 'Next finding',
  P: 'Previous finding',
  H: 'Next event that passes the filter',
  'Shift+H': 'Previous event that passes the filter',
};

const ofRun = ({ selection }: ViewState): string | null => (selection ? null : 'Select a run first');
const ofEvent = ({ event }: ViewState): string | null => (event ? null : 'Go to an event first');
const ofFilter = ({ filter }: ViewState): string | null => (filter.trim() === '' ? 'Type a filter first' : null);

/** What actions need, by their keys. */
const NEEDS: Readonly<Record<string, (view: ViewState) => string | null>> = {
  '[': ofRun,
  ']': ofRun,
  C: ofRun,
  L: (view) => (view.highlighted.length > 0 ? null : ofRun(view)),
  Enter: (view) => (view.range ? null : ofRun(view)),
  M: ofEvent,
  Delete: ofEvent,
  H: ofFilter,
  'Shift+H': ofFilter,
};

/** What opens something of its own. */
const OPENING: readonly { readonly control: Control; readonly text: string }[] = [
  { control: 'compare', text: 'Compare…: open another trace beside this one' },
  { control: 'recent', text: 'Recent traces: open one again' },
  { control: 'cpus', text: 'CPUs: choose which have lanes, and their order' },
  { control: 'tasks', text: 'Task lanes: choose tasks' },
  { control: 'counter', text: 'Counter: a number of the trace’s events over time, on the lanes' },
  { control: 'topology', text: 'Topology of the machine: sockets, caches and cores' },
];

const firstFor = (keys: readonly string[], view: ViewState): string | null => NEEDS[keys[0] ?? '']?.(view) ?? null;

/** All actions. `press`: does what a key of the time axis does. */
export function actions(page: Page, ui: PageUi, press: (press: Press) => void): Entry[] {
  const { store } = page;
  const view = store.getState();
  const { order, moves } = view.topology;
  const isByTopology = order === 'topology';
  const isDark = page.theme.get() === 'dark';
  const ofKeys = KEY_COMMANDS.flatMap(({ key = '', ctrl, shift, names, text, run }): Entry[] => {
    const name = `${ctrl ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${key.toUpperCase()}`;
    const single = SINGLE[name];
    if (!run || run === openPalette || (single ?? text) === '') return [];
    const shown = single ? [name] : names;
    return [{ text: single ?? text, keys: shown, run: () => void run(page, ui), first: firstFor(shown, view) }];
  });
  const ofTime = TIME_KEYS.map(({ text, keys, ...key }) => ({
    ...{ text, keys, run: () => press(key) },
    first: firstFor(keys, view),
  }));
  const colours = COLOURS.map(({ value, text }) => ({
    text: `Colour by ${text}`,
    keys: [],
    run: () => store.dispatch({ type: 'colour', colour: value }),
  }));
  const tabs = DETAILS_TABS.map((tab) => ({
    text: `Details: ${tab}`,
    keys: [],
    run: () => store.dispatch({ type: 'tab', tab }),
  }));
  const toggles: Entry[] = [
    {
      text: 'Save the trace, or the window as a small one: for Perfetto, or as trace.dat',
      keys: [],
      run: ui.exportTrace,
    },
    {
      text: 'Copy link to this view',
      keys: [],
      run: () => void copyLink(page),
    },
    {
      text: `${isDark ? 'Light' : 'Dark'} theme: another colour scheme of the page`,
      keys: [],
      run: () => page.theme.set(isDark ? 'light' : 'dark'),
    },
    {
      text: view.forked
        ? 'New tasks, off: show all tasks, forked or not'
        : 'New tasks: show only tasks that were forked in the trace',
      keys: [],
      run: () => store.dispatch({ type: 'forked', on: !view.forked }),
    },
    ...(store.getLimits().afterSleep === null
      ? []
      : [
          {
            text: view.afterSleep
              ? 'Skip sleep, off: show the leading sleep'
              : 'Skip sleep: time begins after the leading sleep',
            keys: [],
            run: () => store.dispatch({ type: 'afterSleep', on: !view.afterSleep }),
          },
        ]),
    { text: 'Lanes of all CPUs', keys: [], run: () => store.dispatch({ type: 'cpus', cpus: [] }) },
    {
      text: 'Lanes of the CPUs that ran something in this window',
      keys: [],
      run: () => void showBusyCpus(page),
    },
  ];
  const ofMachine: Entry[] =
    page.machine.topology.get() === null
      ? []
      : [
          {
            text: isByTopology ? 'Order CPUs, off: lanes by number' : 'Order CPUs: lanes by socket, cache and core',
            keys: [],
            run: () => store.dispatch({ type: 'topology', change: { order: isByTopology ? 'number' : 'topology' } }),
          },
          {
            text: `Mark moves${moves ? ', off' : ''}: runs of tasks that ran on another CPU before`,
            keys: [],
            run: () => store.dispatch({ type: 'topology', change: { moves: !moves } }),
          },
        ];
  const opening = OPENING.flatMap(({ control, text }): Entry[] => {
    const run = ui.control(control);
    return run === null ? [] : [{ text, keys: [], run }];
  });
  return [...ofKeys, ...ofTime, ...colours, ...tabs, ...toggles, ...ofMachine, ...opening];
}

/** What the typed text names in the open trace: a CPU, a PID, an instant, commands. */
export function things(page: Page, typed: string): Entry[] {
  const session = page.session.get();
  const wanted = typed.trim();
  if (session.kind !== 'open' || wanted === '') return [];
  const { summary } = session;
  const { store } = page;
  const cpu = /^(?:cpu\s*)?(\d+)$/i.exec(wanted)?.[1];
  const pid = /^(?:pid\s*)?(\d+)$/i.exec(wanted)?.[1];
  const seconds = /^(\d+(?:\.\d+)?)\s*s?$/.exec(wanted)?.[1];
  const found: Entry[] = [];
  if (seconds !== undefined && summary.clock_is_ns) found.push(...instant(page, Number(seconds)));
  if (cpu !== undefined && summary.cpus.includes(Number(cpu))) {
    found.push({
      text: `Only the lane of CPU ${cpu}`,
      keys: [],
      run: () => showCpus(page, [Number(cpu)]),
    });
  }
  if (pid !== undefined && summary.tasks.pid.includes(Number(pid))) {
    found.push({
      text: `A task lane for PID ${pid}`,
      keys: [],
      run: () => showLanesOfTasks(page, [{ pid: Number(pid), generation: 0 }]),
    });
  }
  const comms = summary.comms.filter((comm) => comm.toLowerCase().includes(wanted.toLowerCase()));
  for (const comm of comms.slice(0, MOST_COMMANDS)) {
    found.push(
      { text: `Highlight ${comm}`, keys: [], run: () => store.dispatch({ type: 'toggleHighlight', comm }) },
      { text: `Task lanes of ${comm}`, keys: [], run: () => showLanesOfCommands(page, [comm]) },
    );
  }
  return found;
}

/** How many commands are offered for a part of their names. */
const MOST_COMMANDS = 20;

/** The way to an instant on the axis, given in seconds: the window keeps its width. */
function instant({ store }: Page, seconds: number): Entry[] {
  const view = store.getState();
  const limits = store.getLimits();
  const at = timeOrigin(view, limits) + Math.round(seconds * 1e9);
  const bounds = timeBounds(view, limits);
  if (at < bounds.start || at > bounds.end) return [];
  const { start, end } = visibleWindow(view, limits);
  const isWhole = view.window === null;
  const half = isWhole ? (end - start) / 200 : (end - start) / 2;
  return [
    {
      text: `Go to ${seconds} s`,
      keys: [],
      run: () => store.dispatch({ type: 'showWindow', window: { start: ns(at - half), end: ns(at + half) } }),
    },
  ];
}

/** The entries with those of some texts first, in the order of these. */
export function recentFirst(entries: readonly Entry[], recent: readonly string[]): Entry[] {
  const place = ({ text }: Entry): number => (recent.includes(text) ? recent.indexOf(text) : recent.length);
  return [...entries].sort((a, b) => place(a) - place(b));
}

/** The entries that hold every typed word; those that begin with the text first. */
export function matching(entries: readonly Entry[], typed: string): Entry[] {
  const wanted = typed.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const fits = entries.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  const begins = ({ text }: Entry): number => (text.toLowerCase().startsWith(wanted) ? 0 : 1);
  return fits.sort((a, b) => begins(a) - begins(b));
}
