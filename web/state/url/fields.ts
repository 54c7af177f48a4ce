/**
 * The fields of a view in a URL, as a table with a line for each. URLs are written and read from this list, in its
 * order, and it tells how much room the user's own choices take.
 */
import { formatCpuList, formatCpuOrder, parseCpuList, parseCpuOrder } from '../../base/cpuList';
import { ns } from '../../base/units';
import type { EventTextMode, OwnPair } from '../../engine/protocol';
import {
  type CallsView,
  HIDEABLE,
  type Hideable,
  MAX_ARCH,
  MAX_CALL_NAMES,
  MAX_CALL_ROW,
  MAX_COMPAT,
  MAX_COMPAT_NAME,
  parseCalls,
  printCalls,
} from '../calls';
import { counterOfText, MAX_COUNTER } from '../counter';
import { MAX_CPU_LIST } from '../cpus';
import { DETAILS_TABS, naturalTab } from '../details';
import {
  type EventsView,
  type FollowSelection,
  MAX_EVENT_NAMES,
  MAX_EXPRESSION,
  MAX_FILTER_TEXT,
  MAX_MARKS,
  MAX_NOTE,
} from '../events';
import { type ArrowsOf, FINDING_KINDS } from '../findings';
import { GROUPINGS, initialLatency, type LatencyView, MEASURES, SPANS } from '../latency';
import {
  formatOwnPair,
  formatPairs,
  MAX_PAIR_TASKS,
  PAIR_GROUPINGS,
  type PairsView,
  parseOwnPair,
  parsePairs,
} from '../pairs';
import { parseRelations, printRelations, RELATIONS, type RelationsView } from '../relations';
import { parseSlice, printSlice } from '../schedExt';
import {
  formatTasks,
  hasTaskLanes,
  initialTasks,
  MAX_TASK_COMMS,
  MAX_TASK_PITCH,
  MAX_TASKS,
  MIN_TASK_PITCH,
  parseTasks,
  sortedTasks,
  type TaskKey,
  type TaskOrder,
} from '../tasks';
import { LANE_ORDERS, MAX_TOPOLOGY_TEXT } from '../topology';
import { COLOUR_MODES, initialView, MAX_HIGHLIGHTED, MAX_LANE_SCALE, RANGE_TABLES, type ViewState } from '../viewState';
import {
  escaped,
  type Field,
  field,
  finding,
  flag,
  own,
  part,
  place,
  span,
  timed,
  timeMark,
  typed,
  word,
} from './field';
import { atMost, decimals, oneOf, parseCall, parsePair, parsePlace, printCall, printPlace } from './values';

const MODES: readonly EventTextMode[] = ['trace-cmd', 'kernel', 'raw'];
const ARROWS: readonly ArrowsOf[] = ['chain', 'cascade'];
const TASK_ORDERS: readonly TaskOrder[] = ['pid', 'first', 'waiting'];
const FOLLOWED: readonly FollowSelection[] = ['cpu', 'task'];
const MAX_COMM = 64;
/** Longer than any event name in the kernel; that of a probe may be anything else. */
const MAX_EVENT_NAME = 64;
const MAX_GROUP = 64;

/** The fields in the order in which a URL has them. */
export const FIELDS: readonly Field[] = [
  timed('window', { ...span, get: (view) => view.window, set: (link, window) => ({ ...link, window }) }),
  timed('select', {
    ...place,
    get: (view) => view.selection,
    print: (clock, { cpu, start }) => printPlace(clock, cpu, start),
    set: (link, selection) => ({ ...link, selection }),
  }),
  timed('event', {
    ...place,
    get: (view) => view.event,
    print: (clock, { cpu, at }) => printPlace(clock, cpu, at),
    set: (link, event) => ({ ...link, event }),
  }),
  timed('range', { ...span, get: (view) => view.range, set: (link, range) => ({ ...link, range }) }),
  timeMark('a'),
  timeMark('b'),
  field('colour', { ...own('colour'), ...word(COLOUR_MODES) }),
  field('target', {
    ...own('target'),
    ...typed(MAX_COMM, 'the beginning of a command name'),
    length: ({ target }) => escaped(target),
  }),
  highlightField(),
  field('forked', { ...own('forked'), ...flag }),
  field('after-sleep', { ...own('afterSleep'), ...flag }),
  field('depth', { ...own('depth'), ...flag }),
  field('table', { ...own('table'), ...word(RANGE_TABLES) }),
  field('cpus', {
    ...own('cpus'),
    isDefault: (cpus) => cpus.length === 0,
    parse: (text) => (text.length <= MAX_CPU_LIST ? parseCpuOrder(text) : null),
    print: formatCpuOrder,
    expected: 'a list of CPUs, like 1,4-7',
    length: ({ cpus }) => escaped(formatCpuOrder(cpus)),
  }),
  field('lanes', {
    get: ({ laneScale, laneScroll }) => ({ laneScale, laneScroll }),
    set: (link, lanes) => ({ ...link, view: { ...link.view, ...lanes } }),
    isDefault: ({ laneScale, laneScroll }) => laneScale === 1 && laneScroll === 0,
    print: ({ laneScale, laneScroll }) => `${decimals(laneScale)},${decimals(laneScroll)}`,
    parse: (text) => {
      const [laneScale, laneScroll] = parsePair(text) ?? [0, 0];
      return laneScale >= 1 && laneScale <= MAX_LANE_SCALE ? { laneScale, laneScroll } : null;
    },
    expected: 'the height and the first lane, like 2,0.5',
  }),
  field('filter', {
    ...own('filter'),
    ...typed(MAX_EXPRESSION, `at most ${MAX_EXPRESSION} characters`),
    length: ({ filter }) => (filter === '' ? 0 : 8 + escaped(filter)),
  }),
  field('counter', {
    ...own('counter'),
    parse: (text) => (text.length <= MAX_COUNTER && counterOfText(text) !== null ? text : null),
    print: (text) => text,
    expected: 'a number of an event, like power:cpu_frequency:state',
    length: ({ counter }) => (counter === '' ? 0 : 12 + escaped(counter)),
  }),
  field('events', {
    ...part('events', 'open'),
    parse: (text) => (text === 'open' ? true : text === 'closed' ? false : null),
    print: (open) => (open ? 'open' : 'closed'),
    expected: 'open or closed',
  }),
  field('events-cpus', {
    ...part('events', 'cpus'),
    isDefault: (cpus) => cpus.length === 0,
    parse: (text) => (text.length <= MAX_CPU_LIST ? parseCpuList(text) : null),
    print: formatCpuList,
    expected: 'a list of CPUs, like 1,4-7',
    length: ({ events }) => escaped(formatCpuList(events.cpus)),
  }),
  field('events-task', {
    ...part('events', 'task'),
    ...typed(MAX_FILTER_TEXT, 'PIDs and beginnings of command names'),
    length: ({ events }) => escaped(events.task),
  }),
  field('events-names', {
    ...part('events', 'names'),
    isDefault: (names) => names.length === 0,
    parse: parseEventNames,
    print: (names) => names.join(','),
    expected: `at most ${MAX_EVENT_NAMES} names of events`,
    // Every name comes with a comma.
    length: ({ events }) => events.names.reduce((sum, name) => sum + 1 + escaped(name), 0),
  }),
  field('events-text', {
    ...part('events', 'text'),
    ...typed(MAX_EXPRESSION, `at most ${MAX_EXPRESSION} characters`),
    length: ({ events }) => escaped(events.text),
  }),
  field<Pick<EventsView, 'followWindow' | 'followSelection'>>('events-follow', {
    get: ({ events: { followWindow, followSelection } }) => ({ followWindow, followSelection }),
    set: (link, followed) => ({ ...link, view: { ...link.view, events: { ...link.view.events, ...followed } } }),
    isDefault: ({ followWindow, followSelection }) => !followWindow && followSelection === 'off',
    parse: parseFollowed,
    print: ({ followWindow, followSelection }) =>
      [followWindow && 'window', followSelection !== 'off' && followSelection].filter(Boolean).join(','),
    expected: 'window, cpu or task',
  }),
  field('events-mode', { ...part('events', 'mode'), ...word(MODES) }),
  field('events-time', {
    ...part('events', 'absoluteTime'),
    parse: (text) => (text === 'absolute' ? true : text === 'relative' ? false : null),
    print: (absolute) => (absolute ? 'absolute' : 'relative'),
    expected: 'absolute',
  }),
  field('tab', {
    get: (view) => view.tab,
    set: (link, tab) => ({ ...link, findings: { ...link.findings, tab } }),
    isDefault: (tab, view) => tab === naturalTab(view),
    ...word(DETAILS_TABS),
  }),
  field('findings', {
    ...finding('kinds'),
    isDefault: (kinds) => kinds.length === 0,
    parse: (text) => {
      const wanted = text.split(',');
      const kinds = FINDING_KINDS.filter((kind) => wanted.includes(kind));
      return kinds.length === wanted.length ? kinds : null;
    },
    print: (kinds) => kinds.join(','),
    expected: `some of ${FINDING_KINDS.join(', ')}`,
  }),
  field('least', {
    ...finding('least'),
    parse: (text) => (/^\d{1,15}$/.test(text) ? ns(Number(text)) : null),
    print: String,
    expected: 'a duration in ns',
  }),
  field('movable', { ...finding('movable'), ...flag }),
  field('arrows', {
    get: (view) => view.arrows,
    set: (link, arrows) => ({ ...link, findings: { ...link.findings, arrows } }),
    isDefault: (arrows) => arrows === initialView.arrows,
    ...word(ARROWS, ' or '),
  }),
  timed('within', {
    ...span,
    get: (view) => view.findings.within,
    set: (link, within) => ({ ...link, findings: { ...link.findings, within } }),
  }),
  tasksField(),
  field('task-order', {
    get: (view) => view.tasks.order,
    set: (link, order) => ({ ...link, view: { ...link.view, tasks: { ...link.view.tasks, order } } }),
    isDefault: (order, view) => !hasTaskLanes(view.tasks) || order === initialTasks.order,
    ...word(TASK_ORDERS),
  }),
  field('task-lanes', {
    get: ({ tasks: { pitch, scroll } }) => ({ pitch, scroll }),
    set: (link, layout) => ({ ...link, view: { ...link.view, tasks: { ...link.view.tasks, ...layout } } }),
    isDefault: ({ pitch, scroll }, view) => !hasTaskLanes(view.tasks) || (pitch === initialTasks.pitch && scroll === 0),
    parse: (text) => {
      const [pitch, scroll] = parsePair(text) ?? [0, 0];
      return pitch >= MIN_TASK_PITCH && pitch <= MAX_TASK_PITCH ? { pitch, scroll } : null;
    },
    print: ({ pitch, scroll }) => `${decimals(pitch)},${decimals(scroll)}`,
    expected: 'the height and the first lane, like 28,0',
  }),
  field<Omit<LatencyView, 'group'>>('latency', {
    get: ({ latency: { measure, by, span } }) => ({ measure, by, span }),
    set: (link, words) => ({ ...link, view: { ...link.view, latency: { ...link.view.latency, ...words } } }),
    isDefault: (words) => printLatency(words) === '',
    parse: parseLatency,
    print: printLatency,
    expected: [...MEASURES, ...GROUPINGS, ...SPANS].join(', '),
  }),
  field<string | null>('latency-group', {
    ...part('latency', 'group'),
    parse: (text) => (text === '' ? null : atMost(MAX_GROUP)(text)),
    print: (group) => group ?? '',
    expected: 'a command, a PID or a CPU',
    length: ({ latency }) => escaped(latency.group ?? ''),
  }),
  field<Pick<CallsView, 'by' | 'list' | 'span' | 'errors' | 'net'>>('calls', {
    get: ({ calls: { by, list, span, errors, net } }) => ({ by, list, span, errors, net }),
    set: (link, words) => ({ ...link, view: { ...link.view, calls: { ...link.view.calls, ...words } } }),
    isDefault: (words) => printCalls(words) === '',
    parse: parseCalls,
    print: printCalls,
    length: ({ calls }) => (printCalls(calls) === '' ? 0 : 7 + printCalls(calls).length),
    expected: 'command, task or process, threads, window, errors, net',
  }),
  // Whether there is a table of this machine is for the engine to say.
  field('calls-arch', {
    ...part('calls', 'arch'),
    ...typed(MAX_ARCH, 'a machine, like x86_64'),
    length: ({ calls }) => (calls.arch === '' ? 0 : 12 + escaped(calls.arch)),
  }),
  compatField(),
  field('calls-names', {
    ...part('calls', 'names'),
    ...typed(MAX_CALL_NAMES, 'beginnings of names of calls'),
    length: ({ calls }) => (calls.names === '' ? 0 : 13 + escaped(calls.names)),
  }),
  field<string | null>('calls-row', {
    ...part('calls', 'row'),
    parse: (text) => (text === '' ? null : atMost(MAX_CALL_ROW)(text)),
    print: (row) => row ?? '',
    expected: 'a row of the table of calls',
    length: ({ calls }) => (calls.row === null ? 0 : 11 + escaped(calls.row)),
  }),
  timed('call', {
    get: (view) => view.calls.at,
    print: printCall,
    // `&call=4194304.12@1700000000.123456789`.
    length: ({ calls }) => (calls.at === null ? 0 : 40),
    parse: parseCall,
    set: (link, call) => ({ ...link, call }),
    expected: 'a PID and a time, like 304@12.5',
  }),
  field<readonly Hideable[]>('hide', {
    ...part('calls', 'hidden'),
    isDefault: (hidden) => hidden.length === 0,
    parse: (text) => {
      const names = text.split(',');
      const hidden = HIDEABLE.filter((name) => names.includes(name));
      return hidden.length === names.length ? hidden : null;
    },
    print: (hidden) => hidden.join(','),
    length: ({ calls }) => (calls.hidden.length === 0 ? 0 : 6 + calls.hidden.join(',').length),
    expected: `some of ${HIDEABLE.join(', ')}`,
  }),
  field('slice', {
    ...own('schedExt'),
    isDefault: (view) => printSlice(view) === printSlice(initialView.schedExt),
    parse: parseSlice,
    print: printSlice,
    length: ({ schedExt: { comm } }) => (comm === '' ? 0 : 1 + escaped(comm)),
    expected: 'µs,command',
  }),
  field<Pick<PairsView, 'by' | 'span'>>('pairs', {
    get: ({ pairs: { by, span } }) => ({ by, span }),
    set: (link, words) => ({ ...link, view: { ...link.view, pairs: { ...link.view.pairs, ...words } } }),
    isDefault: (words) => formatPairs(words) === '',
    parse: parsePairs,
    print: formatPairs,
    expected: [...PAIR_GROUPINGS, ...SPANS].join(', '),
  }),
  field<string | null>('pair', {
    ...part('pairs', 'pair'),
    parse: (text) => (text === '' ? null : atMost(MAX_GROUP)(text)),
    print: (pair) => pair ?? '',
    expected: 'the name of a pair of events',
    length: ({ pairs }) => escaped(pairs.pair ?? ''),
  }),
  field<string | null>('pair-group', {
    ...part('pairs', 'group'),
    parse: (text) => (text === '' ? null : atMost(MAX_GROUP)(text)),
    print: (group) => group ?? '',
    expected: 'a group of the pair',
    length: ({ pairs }) => (pairs.group === null ? 0 : 12 + escaped(pairs.group)),
  }),
  field('pair-task', {
    ...part('pairs', 'task'),
    ...typed(MAX_PAIR_TASKS, 'PIDs and beginnings of command names'),
    length: ({ pairs }) => (pairs.task === '' ? 0 : 11 + escaped(pairs.task)),
  }),
  field<OwnPair | null>('pair-own', {
    ...part('pairs', 'own'),
    parse: parseOwnPair,
    print: formatOwnPair,
    expected: 'a start, an end, a key, a group, a value, a line each',
    length: ({ pairs }) => escaped(formatOwnPair(pairs.own)),
  }),
  field<RelationsView>('relations', {
    ...own('relations'),
    isDefault: (words) => printRelations(words) === '',
    parse: parseRelations,
    print: printRelations,
    expected: [...RELATIONS, ...GROUPINGS, ...SPANS].join(', '),
  }),
  // Whether the text can be understood is for the engine to say.
  field('topology', {
    ...part('topology', 'text'),
    ...typed(MAX_TOPOLOGY_TEXT, `at most ${MAX_TOPOLOGY_TEXT} characters`),
    length: ({ topology: { text } }) => (text === '' ? 0 : 10 + escaped(text)),
  }),
  field('order', { ...part('topology', 'order'), ...word(LANE_ORDERS) }),
  field('moves', { ...part('topology', 'moves'), ...flag }),
  marksField(),
];

/** How many characters of the user's own choices and texts fit into a URL of 2 KB, beside all the rest. */
export const MAX_FREE_TEXT = 1008;

/** How many characters of a URL hold the user's own choices and texts. */
export const freeText = (view: ViewState): number => FIELDS.reduce((sum, { length }) => sum + length(view), 0);

/** `calls-compat=bash&calls-compat=304`. */
function compatField(): Field {
  return {
    name: 'calls-compat',
    expected: `at most ${MAX_COMPAT} thread ids or command names`,
    length: ({ calls }) => calls.compat.reduce((sum, task) => sum + 14 + escaped(task), 0),
    print: ({ calls }) => calls.compat,
    parse: (link, texts) => {
      const tasks = texts.filter((task) => task !== '' && task.length <= MAX_COMPAT_NAME);
      const compat = [...new Set(tasks)].slice(0, MAX_COMPAT);
      const isFine = tasks.length === texts.length && tasks.length <= MAX_COMPAT;
      return { link: { ...link, view: { ...link.view, calls: { ...link.view.calls, compat } } }, isFine };
    },
  };
}

function highlightField(): Field {
  return {
    name: 'highlight',
    expected: `at most ${MAX_HIGHLIGHTED} command names`,
    length: ({ highlighted }) => highlighted.reduce((sum, comm) => sum + 11 + escaped(comm), 0),
    print: ({ highlighted }) => highlighted,
    parse: (link, texts) => {
      const comms = texts.filter((comm) => comm !== '' && comm.length <= MAX_COMM);
      const highlighted = [...new Set(comms)].slice(0, MAX_HIGHLIGHTED);
      const isFine = comms.length === texts.length && comms.length <= MAX_HIGHLIGHTED;
      return { link: { ...link, view: { ...link.view, highlighted } }, isFine };
    },
  };
}

/** `3@12.5:note`. */
function marksField(): Field {
  return {
    name: 'mark',
    expected: `at most ${MAX_MARKS} times a CPU, a time and a note, like 3@12.5:note`,
    // A mark is `&mark=123@1700000000.123456789:note`.
    length: ({ marks }) => marks.reduce((sum, { note }) => sum + 34 + escaped(note), 0),
    print: ({ marks }, clock) =>
      marks.map(({ cpu, at, note }) => printPlace(clock, cpu, at) + (note === '' ? '' : `:${note}`)),
    parse: (link, texts) => {
      const marks = texts.slice(0, MAX_MARKS).flatMap((text) => {
        const colon = text.indexOf(':');
        const at = parsePlace(colon < 0 ? text : text.slice(0, colon));
        const note = colon < 0 ? '' : text.slice(colon + 1);
        return at && Array.from(note).length <= MAX_NOTE ? [{ ...at, note }] : [];
      });
      return { link: { ...link, marks }, isFine: marks.length === texts.length };
    },
  };
}

const COMM = 'comm:';

/** `tasks=12-15,20.1&tasks=comm:hackbench`. */
function tasksField(): Field {
  return {
    name: 'tasks',
    expected: `at most ${MAX_TASKS} PIDs, like 12-15,20, or a command, like comm:hackbench`,
    length: ({ tasks: { tasks, comms } }) =>
      formatTasks(tasks).length + comms.reduce((sum, comm) => sum + 12 + escaped(comm), 0),
    print: ({ tasks: { tasks, comms } }) => [
      ...(tasks.length > 0 ? [formatTasks(tasks)] : []),
      ...comms.map((comm) => COMM + comm),
    ],
    parse: (link, texts) => {
      const tasks: TaskKey[] = [];
      const comms: string[] = [];
      let isFine = true;
      for (const text of texts) {
        if (text.startsWith(COMM)) {
          const comm = text.slice(COMM.length);
          if (comm !== '' && comm.length <= MAX_COMM) comms.push(comm);
          else isFine = false;
        } else {
          const parsed = parseTasks(text);
          isFine &&= parsed !== null;
          tasks.push(...(parsed ?? []));
        }
      }
      const chosen = sortedTasks(tasks);
      const named = [...new Set(comms)];
      const some = { tasks: chosen.slice(0, MAX_TASKS), comms: named.slice(0, MAX_TASK_COMMS) };
      return {
        link: { ...link, view: { ...link.view, tasks: { ...link.view.tasks, ...some } } },
        isFine: isFine && chosen.length <= MAX_TASKS && named.length <= MAX_TASK_COMMS,
      };
    },
  };
}

function parseEventNames(text: string): readonly string[] | null {
  const names = [...new Set(text.split(','))];
  const fine = names.length <= MAX_EVENT_NAMES && names.every((name) => name !== '' && name.length <= MAX_EVENT_NAME);
  return fine ? names : null;
}

function parseFollowed(text: string): Pick<EventsView, 'followWindow' | 'followSelection'> | null {
  const parts = text.split(',');
  const selections = FOLLOWED.filter((value) => parts.includes(value));
  const known = parts.every((name) => name === 'window' || oneOf(FOLLOWED)(name) !== null);
  return known && selections.length <= 1
    ? { followWindow: parts.includes('window'), followSelection: selections[0] ?? 'off' }
    : null;
}

type LatencyWords = Omit<LatencyView, 'group'>;

/** Prints only the words that differ from the initial pane. */
function printLatency({ measure, by, span }: LatencyWords): string {
  return [measure, by, span].filter((name) => !Object.values(initialLatency).some((first) => first === name)).join(',');
}

function parseLatency(text: string): LatencyWords | null {
  const { measure, by, span } = initialLatency;
  let words: LatencyWords | null = { measure, by, span };
  for (const name of text.split(',')) {
    const found = { measure: oneOf(MEASURES)(name), by: oneOf(GROUPINGS)(name), span: oneOf(SPANS)(name) };
    words =
      words && (found.measure ?? found.by ?? found.span) !== null
        ? {
            measure: found.measure ?? words.measure,
            by: found.by ?? words.by,
            span: found.span ?? words.span,
          }
        : null;
  }
  return words;
}
