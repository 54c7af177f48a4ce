/** What the menu of a place in the panes on the time axis offers, each with its key. */
import { formatTime } from '../../base/format';
import { type Ns, ns } from '../../base/units';
import { type Cpu, type Interval, isEarly, type Summary } from '../../engine/protocol';
import { clockOf } from '../../state/traces';
import { timeOrigin, visibleWindow } from '../../state/viewState';
import { moveLane, showCpus } from '../chosenCpus';
import { copyRange } from '../mail/copyRange';
import { goTo, stepChain } from '../navigate';
import type { Page } from '../page';
import { showLanesOfTasks } from '../taskLanes';
import { taskName } from '../words';

export interface MenuEntry {
  readonly text: string;
  /** The keys that do the same; empty: none. */
  readonly keys: string;
  readonly run: () => void;
}

export interface MenuGroup {
  /** What the entries are about. */
  readonly about: string;
  readonly entries: readonly MenuEntry[];
}

/** A place; null where there is none. */
export interface MenuPlace {
  readonly cpu: Cpu | null;
  readonly at: Ns | null;
  readonly interval: Interval | null;
}

export function menuOf(page: Page, summary: Summary, place: MenuPlace): readonly MenuGroup[] {
  const groups = [
    ofRun(page, place.interval),
    ofInstant(page, summary, place.at),
    ofCpu(page, summary, place.cpu),
    ofTime(page),
  ];
  return groups.filter((group) => group !== null);
}

function ofRun(page: Page, interval: Interval | null): MenuGroup | null {
  if (interval?.kind !== 'run' || interval.comm === undefined || interval.pid === undefined) return null;
  const { store } = page;
  const { comm, pid, cpu, start, end } = interval;
  const isHighlighted = store.getState().highlighted.includes(comm);
  const generation = interval.generation ?? 0;
  return {
    about: taskName(comm, pid),
    entries: [
      { text: 'Select this run', keys: 'click', run: () => void goTo(page, cpu, start) },
      {
        text: 'Zoom to this run',
        keys: 'F',
        run: () => {
          const margin = (end - start) / 2;
          store.dispatch({ type: 'showWindow', window: { start: ns(start - margin), end: ns(end + margin) } });
        },
      },
      {
        text: 'Go to the run that woke it',
        keys: '[',
        run: async () => {
          await goTo(page, cpu, start);
          await stepChain(page, -1);
        },
      },
      ...(isEarly(interval)
        ? []
        : [{ text: 'A lane for this task', keys: 'L', run: () => showLanesOfTasks(page, [{ pid, generation }]) }]),
      {
        text: isHighlighted ? `Highlight ${comm} no longer` : `Highlight ${comm}`,
        keys: '',
        run: () => store.dispatch({ type: 'toggleHighlight', comm }),
      },
      { text: `Make ${comm} the target`, keys: '', run: () => store.dispatch({ type: 'targetCommand', comm }) },
    ],
  };
}

function ofInstant(page: Page, summary: Summary, at: Ns | null): MenuGroup | null {
  if (at === null) return null;
  const { store } = page;
  const whole = ns(Math.round(at));
  const mark = (name: 'a' | 'b') => () => store.dispatch({ type: 'timeMark', name, at: whole });
  return {
    about: formatTime(clockOf(summary), whole, timeOrigin(store.getState(), store.getLimits())),
    entries: [
      { text: 'Mark A here', keys: 'Shift+A', run: mark('a') },
      { text: 'Mark B here', keys: 'Shift+B', run: mark('b') },
      {
        text: 'What each CPU does here',
        keys: '< >',
        run: () => {
          mark('a')();
          store.dispatch({ type: 'tab', tab: 'instant' });
        },
      },
    ],
  };
}

function ofCpu(page: Page, { cpus }: Summary, cpu: Cpu | null): MenuGroup | null {
  if (cpu === null) return null;
  const shown = page.store.getState().cpus;
  const present = shown.length > 0 ? shown : cpus;
  return {
    about: `CPU ${cpu}`,
    entries: [
      { text: `Only the lane of CPU ${cpu}`, keys: '', run: () => showCpus(page, [cpu]) },
      ...(present.length > 1
        ? [
            {
              text: `Hide CPU ${cpu}`,
              keys: '',
              run: () =>
                showCpus(
                  page,
                  present.filter((other) => other !== cpu),
                ),
            },
          ]
        : []),
      ...(present.length > 1
        ? [
            { text: 'Move to the top', keys: '', run: () => moveLane(page, cpu, 'top') },
            { text: 'Move up', keys: '', run: () => moveLane(page, cpu, -1) },
            { text: 'Move down', keys: '', run: () => moveLane(page, cpu, 1) },
          ]
        : []),
      ...(shown.length > 0 ? [{ text: 'The lanes of all CPUs', keys: '', run: () => showCpus(page, cpus) }] : []),
    ],
  };
}

function ofTime(page: Page): MenuGroup {
  const { store } = page;
  const view = store.getState();
  const what = view.range ? 'range' : 'window';
  return {
    about: view.range ? 'The range' : 'The window',
    entries: [
      ...(view.range
        ? [
            {
              text: 'Zoom to the range',
              keys: 'Enter',
              run: () => store.dispatch({ type: 'showWindow', window: view.range }),
            },
          ]
        : [
            {
              text: 'Make it the range',
              // With a selection, the key makes the selected run the range.
              keys: view.selection ? '' : 'R',
              run: () => store.dispatch({ type: 'range', range: visibleWindow(store.getState(), store.getLimits()) }),
            },
          ]),
      { text: `Copy the ${what} as text for a mail`, keys: 'Y', run: () => void copyRange(page) },
      { text: 'The whole trace', keys: '0', run: () => store.dispatch({ type: 'showWindow', window: null }) },
    ],
  };
}
