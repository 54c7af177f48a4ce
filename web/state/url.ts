/**
 * A view as a URL fragment: `#v=1&trace=a.dat&fp=...&window=12.3-12.4&select=3@12.35&colour=command`.
 *
 * In the fragment, because browsers do not send it: what someone looks at stays theirs. Identities are stable (CPU
 * numbers, comms, absolute trace times), never indices. Every field is decoded by itself: a bad one is reported and
 * ignored, the others apply.
 */
import { absoluteText, parseAbsolute, sinceBase, type TraceClock } from '../base/traceTime';
import { type Ns, ns, type TimeWindow } from '../base/units';
import { naturalTab } from './details';
import { escapeValue } from './escape';
import { type EventMark, type EventPlace, MAX_MARKS, MAX_NOTE } from './events';
import { decodeEvents, encodeEvents } from './eventsUrl';
import { type DecodedFindings, decodeFindings, encodeFindings } from './findingsUrl';
import { decodeLatency, encodeLatency } from './latency';
import { TIME_MARKS, type TimeMarkName } from './marks';
import { decodeTasks, encodeTasks } from './tasksUrl';
import { decodeTopology, encodeTopology } from './topology';
import { decodeFlag, matching, oneOf, type ReadField } from './urlFields';
import type { ColourMode, Limits, ViewState } from './viewState';
import {
  freeText,
  initialView,
  MAX_FREE_TEXT,
  MAX_HIGHLIGHTED,
  MAX_LANE_SCALE,
  RANGE_TABLES,
  reduce,
  timeBounds,
} from './viewState';

const URL_VERSION = 1;

/** Which file a view belongs to. */
export interface TraceIdentity {
  readonly name: string;
  readonly fingerprint: string;
}

interface AbsoluteWindow {
  readonly start: bigint;
  readonly end: bigint;
}

/** On the lanes: a CPU and an absolute time. */
interface AbsolutePlace {
  readonly cpu: number;
  readonly start: bigint;
}

/** A decoded fragment. Times are absolute, since the trace that they belong to may not be open yet. */
export interface Link {
  readonly trace: TraceIdentity | null;
  readonly window: AbsoluteWindow | null;
  readonly range: AbsoluteWindow | null;
  readonly selection: AbsolutePlace | null;
  readonly event: AbsolutePlace | null;
  readonly marks: readonly (AbsolutePlace & { readonly note: string })[];
  readonly findings: DecodedFindings & { readonly within: AbsoluteWindow | null };
  readonly timeMarks: Readonly<Record<TimeMarkName, bigint | null>>;
  readonly view: Pick<
    ViewState,
    | 'colour'
    | 'target'
    | 'highlighted'
    | 'forked'
    | 'afterSleep'
    | 'laneScale'
    | 'laneScroll'
    | 'depth'
    | 'table'
    | 'events'
    | 'tasks'
    | 'latency'
    | 'topology'
  >;
}

export interface Decoded {
  /** null: the fragment holds no view. */
  readonly link: Link | null;
  /** In words, for the user. */
  readonly problems: readonly string[];
}

const MAX_NAME = 48;
const MAX_COMM = 64;
const COLOURS: readonly ColourMode[] = ['pid', 'command', 'target'];

export function encodeFragment(view: ViewState, trace: TraceIdentity, clock: TraceClock): string {
  const fields: [string, string][] = [
    ['v', `${URL_VERSION}`],
    ['trace', Array.from(trace.name).slice(0, MAX_NAME).join('')],
    ['fp', trace.fingerprint],
  ];
  const span = ({ start, end }: TimeWindow): string => `${absoluteText(clock, start)}-${absoluteText(clock, end)}`;
  const place = (cpu: number, at: Ns): string => `${cpu}@${absoluteText(clock, at)}`;
  if (view.window) {
    fields.push(['window', span(view.window)]);
  }
  if (view.selection) {
    fields.push(['select', place(view.selection.cpu, view.selection.start)]);
  }
  if (view.event) {
    fields.push(['event', place(view.event.cpu, view.event.at)]);
  }
  if (view.range) {
    fields.push(['range', span(view.range)]);
  }
  for (const name of TIME_MARKS) {
    const at = view.timeMarks[name];
    if (at !== null) {
      fields.push([name, absoluteText(clock, at)]);
    }
  }
  if (view.colour !== initialView.colour) {
    fields.push(['colour', view.colour]);
  }
  if (view.target !== '') {
    fields.push(['target', view.target]);
  }
  for (const comm of view.highlighted) {
    fields.push(['highlight', comm]);
  }
  if (view.forked) {
    fields.push(['forked', '1']);
  }
  if (view.afterSleep) {
    fields.push(['after-sleep', '1']);
  }
  if (view.depth) {
    fields.push(['depth', '1']);
  }
  if (view.table !== initialView.table) {
    fields.push(['table', view.table]);
  }
  if (view.laneScale !== 1 || view.laneScroll !== 0) {
    fields.push(['lanes', `${decimals(view.laneScale)},${decimals(view.laneScroll)}`]);
  }
  fields.push(...encodeEvents(view.events), ...encodeFindings(view));
  if (view.findings.within) {
    fields.push(['within', span(view.findings.within)]);
  }
  fields.push(...encodeTasks(view.tasks), ...encodeLatency(view.latency), ...encodeTopology(view.topology));
  for (const { cpu, at, note } of view.marks) {
    fields.push(['mark', place(cpu, at) + (note === '' ? '' : `:${note}`)]);
  }
  return `#${fields.map(([name, value]) => `${name}=${escapeValue(value)}`).join('&')}`;
}

export function decodeFragment(fragment: string): Decoded {
  const text = fragment.replace(/^#/, '');
  if (text === '') {
    return { link: null, problems: [] };
  }
  const { fields, problems } = splitFields(text);
  const version = fields.get('v')?.[0];
  if (version !== `${URL_VERSION}`) {
    const found = version === undefined ? 'has no version' : `is of version ${version}`;
    return {
      link: null,
      problems: [`The view in this URL ${found}; this page understands version ${URL_VERSION}. It was ignored.`],
    };
  }
  return decodeFields(fields, problems);
}

/** The view that a link describes, on the trace that is open. What does not fit is reported and left out. */
export function linkToView(
  link: Link,
  clock: TraceClock,
  limits: Limits,
  cpus: readonly number[],
): { readonly view: ViewState; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const { afterSleep } = link.view;
  let view: ViewState = { ...initialView, ...link.view, laneScale: 1, laneScroll: 0 };
  view = reduce(view, { type: 'lanes', scale: link.view.laneScale, scroll: link.view.laneScroll }, limits);
  if (afterSleep && limits.afterSleep === null) {
    problems.push('This trace has no leading sleep to skip.');
  }
  const bounds = timeBounds(view, limits);
  const fitted = (name: string, window: AbsoluteWindow | null): TimeWindow | null => {
    if (!window) {
      return null;
    }
    const start = sinceBase(clock, window.start);
    const end = sinceBase(clock, window.end);
    if (start >= bounds.end || end <= bounds.start) {
      problems.push(`The ${name} in the URL lies outside this trace.`);
      return null;
    }
    return { start: ns(Math.max(start, bounds.start)), end: ns(Math.min(end, bounds.end)) };
  };
  const window = fitted('time window', link.window);
  const findings = { ...link.findings.findings, within: fitted('time of the findings', link.findings.within) };
  view = { ...view, range: fitted('time range', link.range), findings, arrows: link.findings.arrows };
  view = reduce(view, { type: 'showWindow', window }, limits);
  /** The place in ns since the first event; reported, and null, where this trace has none. */
  const placed = (what: string, place: AbsolutePlace): EventPlace | null => {
    const at = sinceBase(clock, place.start);
    if (!cpus.includes(place.cpu)) {
      problems.push(`The ${what} in the URL is on CPU ${place.cpu}, which this trace does not have.`);
    } else if (at < 0 || at > limits.span) {
      problems.push(`The ${what} in the URL lies outside this trace.`);
    } else {
      return { cpu: place.cpu, at };
    }
    return null;
  };
  const run = link.selection && placed('selected run', link.selection);
  const event = link.event && placed('event', link.event);
  const marks: EventMark[] = [];
  for (const mark of link.marks) {
    const place = placed('mark', mark);
    if (place && freeText({ ...view, marks: [...marks, { ...place, note: mark.note }] }) <= MAX_FREE_TEXT) {
      marks.push({ ...place, note: mark.note });
    }
  }
  view = { ...view, selection: run && { cpu: run.cpu, start: run.at }, event, marks };
  for (const name of TIME_MARKS) {
    const absolute = link.timeMarks[name];
    const at = absolute === null ? null : sinceBase(clock, absolute);
    if (at !== null && (at < 0 || at > limits.span)) {
      problems.push(`The mark ${name.toUpperCase()} in the URL lies outside this trace.`);
    } else {
      view = reduce(view, { type: 'timeMark', name, at }, limits);
    }
  }
  return { view: { ...view, tab: link.findings.tab ?? naturalTab(view) }, problems };
}

type Fields = ReadonlyMap<string, readonly string[]>;

function splitFields(text: string): { fields: Fields; problems: string[] } {
  const fields = new Map<string, string[]>();
  const problems: string[] = [];
  for (const part of text.split('&')) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    try {
      const value = decodeURIComponent(equals < 0 ? '' : part.slice(equals + 1));
      fields.set(name, [...(fields.get(name) ?? []), value]);
    } catch {
      problems.push(ignored(name, 'broken escape sequence'));
    }
  }
  return { fields, problems };
}

/** Fields that are read by themselves, without `read`. */
const OTHER_FIELDS = ['v', 'trace', 'highlight', 'mark', 'tasks'];

function decodeFields(fields: Fields, problems: string[]): Decoded {
  const understood = new Set(OTHER_FIELDS);
  const read: ReadField = (name, decode, missing, expected) => {
    understood.add(name);
    const text = fields.get(name)?.[0];
    if (text === undefined) {
      return missing;
    }
    const value = decode(text);
    if (value === null) {
      problems.push(ignored(name, `expected ${expected}`));
    }
    return value ?? missing;
  };
  const fingerprint = read<string | null>('fp', matching(/^[0-9a-f]{1,16}$/), null, 'a hexadecimal fingerprint');
  const name = fields.get('trace')?.[0]?.slice(0, MAX_NAME * 2) ?? '';
  const highlighted = (fields.get('highlight') ?? []).filter((comm) => comm !== '' && comm.length <= MAX_COMM);
  if (highlighted.length < (fields.get('highlight') ?? []).length || highlighted.length > MAX_HIGHLIGHTED) {
    problems.push(ignored('highlight', `expected at most ${MAX_HIGHLIGHTED} command names`));
  }
  const lanes = read(
    'lanes',
    decodeLanes,
    { laneScale: 1, laneScroll: 0 },
    'the height and the first lane, like 2,0.5',
  );
  const link: Link = {
    trace: fingerprint === null ? null : { name, fingerprint },
    window: read('window', decodeWindow, null, 'two times, like 12.5-12.75'),
    range: read('range', decodeWindow, null, 'two times, like 12.5-12.75'),
    selection: read('select', decodePlace, null, 'a CPU and a time, like 3@12.5'),
    event: read('event', decodePlace, null, 'a CPU and a time, like 3@12.5'),
    marks: decodeMarks(fields.get('mark') ?? [], problems),
    findings: { ...decodeFindings(read), within: read('within', decodeWindow, null, 'two times, like 12.5-12.75') },
    timeMarks: {
      a: read('a', parseAbsolute, null, 'a time, like 12.5'),
      b: read('b', parseAbsolute, null, 'a time, like 12.5'),
    },
    view: {
      colour: read('colour', oneOf(COLOURS), initialView.colour, COLOURS.join(', ')),
      target: read('target', (text) => (text.length <= MAX_COMM ? text : null), '', 'the beginning of a command name'),
      highlighted: [...new Set(highlighted)].slice(0, MAX_HIGHLIGHTED),
      forked: read('forked', decodeFlag, false, '0 or 1'),
      afterSleep: read('after-sleep', decodeFlag, false, '0 or 1'),
      depth: read('depth', decodeFlag, false, '0 or 1'),
      table: read('table', oneOf(RANGE_TABLES), initialView.table, RANGE_TABLES.join(', ')),
      ...lanes,
      events: decodeEvents(read),
      latency: decodeLatency(read),
      topology: decodeTopology(read),
      tasks: decodeTasks(fields.get('tasks') ?? [], read, (name, why) => problems.push(ignored(name, why))),
    },
  };
  const unknown = [...fields.keys()].filter((name) => !understood.has(name)).slice(0, MAX_UNKNOWN);
  problems.push(
    ...unknown.map((name) => ignored(Array.from(name).slice(0, MAX_NAME).join(''), 'no part of a view is called so')),
  );
  return { link, problems };
}

/** Fields that are not known and are named: a mangled link may have any number. */
const MAX_UNKNOWN = 5;

const ignored = (name: string, why: string): string => `“${name}” in the URL was ignored: ${why}.`;

const decimals = (value: number): string => `${Math.round(value * 1000) / 1000}`;

function decodeWindow(text: string): AbsoluteWindow | null {
  const match = /^(-?[\d.]+)-(-?[\d.]+)$/.exec(text);
  const start = parseAbsolute(match?.[1] ?? '');
  const end = parseAbsolute(match?.[2] ?? '');
  return start !== null && end !== null && start < end ? { start, end } : null;
}

function decodePlace(text: string): AbsolutePlace | null {
  const match = /^(\d{1,6})@(-?[\d.]+)$/.exec(text);
  const start = parseAbsolute(match?.[2] ?? '');
  return match && start !== null ? { cpu: Number(match[1]), start } : null;
}

function decodeMarks(texts: readonly string[], problems: string[]): Link['marks'] {
  const marks = texts.slice(0, MAX_MARKS).flatMap((text) => {
    const colon = text.indexOf(':');
    const place = decodePlace(colon < 0 ? text : text.slice(0, colon));
    const note = colon < 0 ? '' : text.slice(colon + 1);
    return place && Array.from(note).length <= MAX_NOTE ? [{ ...place, note }] : [];
  });
  if (marks.length < texts.length) {
    problems.push(ignored('mark', `expected at most ${MAX_MARKS} times a CPU, a time and a note, like 3@12.5:note`));
  }
  return marks;
}

function decodeLanes(text: string): { laneScale: number; laneScroll: number } | null {
  const match = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text);
  const laneScale = Number(match?.[1]);
  const laneScroll = Number(match?.[2]);
  return match && laneScale >= 1 && laneScale <= MAX_LANE_SCALE ? { laneScale, laneScroll } : null;
}
