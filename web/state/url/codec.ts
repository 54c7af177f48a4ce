/**
 * A view as a URL fragment: `#v=1&trace=a.dat&fp=...&window=12.3-12.4&select=3@12.35&colour=command`.
 *
 * It is in the fragment because browsers do not send that: what someone looks at stays private. Identities are stable
 * (CPU numbers, comms, absolute trace times), never indices. Every field is decoded by itself: a bad one is reported
 * and ignored, the others apply. The fields are those of the table in `fields.ts`.
 */
import { sinceBase, type TraceClock } from '../../base/traceTime';
import { ns, type TimeWindow } from '../../base/units';
import { naturalTab } from '../details';
import type { EventMark, EventPlace } from '../events';
import { TIME_MARKS } from '../marks';
import { reduce } from '../reduce';
import { MAX_BESIDE } from '../traces';
import { type Limits, timeBounds, type ViewState } from '../viewState';
import { escapeValue } from './escape';
import { FIELDS, freeText, MAX_FREE_TEXT } from './fields';
import { emptyLink, type Link, type LinkedTrace, type TraceIdentity } from './link';
import type { AbsolutePlace, AbsoluteWindow } from './values';

const URL_VERSION = 1;

export interface Decoded {
  /** null: the fragment holds no view. */
  readonly link: Link | null;
  /** Problems in words, for the user. */
  readonly problems: readonly string[];
}

/** The most characters of a name that are read. */
const MAX_NAME = 48;
/** The most room of the trace's name, as it is escaped; when others are beside it, they need room too. */
const NAME_ROOM = 200;
const NAME_ROOM_BESIDE = 64;

/** The beginning of a name that has this much room when it is escaped. */
function cutName(name: string, room: number): string {
  let left = room;
  const letters = Array.from(name.slice(0, room));
  const end = letters.findIndex((letter) => {
    left -= escapeValue(letter).length;
    return left < 0;
  });
  return end < 0 ? letters.join('') : letters.slice(0, end).join('');
}

/** `beside`: the traces that are open beside `trace`. */
export function encodeFragment(
  view: ViewState,
  trace: TraceIdentity,
  clock: TraceClock,
  beside: readonly LinkedTrace[] = [],
): string {
  const fields: [string, string][] = [
    ['v', `${URL_VERSION}`],
    ['trace', cutName(trace.name, beside.length > 0 ? NAME_ROOM_BESIDE : NAME_ROOM)],
    ['fp', trace.fingerprint],
    ...beside.map(({ fingerprint, offset }): [string, string] => ['beside', `${fingerprint}@${offset}`]),
    ...FIELDS.flatMap(({ name, print }) => print(view, clock).map((value): [string, string] => [name, value])),
  ];
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

/** The view that a link describes, on the open trace. What does not fit is reported and left out. */
export function linkToView(
  link: Link,
  clock: TraceClock,
  limits: Limits,
  cpus: readonly number[],
): { readonly view: ViewState; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const { afterSleep } = link.view;
  let view: ViewState = { ...link.view, laneScale: 1, laneScroll: 0 };
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
      problems.push(`The ${name} in the URL is outside this trace.`);
      return null;
    }
    return { start: ns(Math.max(start, bounds.start)), end: ns(Math.min(end, bounds.end)) };
  };
  const window = fitted('time window', link.window);
  const findings = { ...link.findings.findings, within: fitted('time of the findings', link.findings.within) };
  view = { ...view, range: fitted('time range', link.range), findings, arrows: link.findings.arrows };
  view = reduce(view, { type: 'showWindow', window }, limits);
  /** A place with its time in ns since the first event; reported, and null, if this trace has no such place. */
  const placed = (what: string, place: AbsolutePlace): EventPlace | null => {
    const at = sinceBase(clock, place.start);
    if (!cpus.includes(place.cpu)) {
      problems.push(`The ${what} in the URL is on CPU ${place.cpu}, which this trace does not have.`);
    } else if (at < 0 || at > limits.span) {
      problems.push(`The ${what} in the URL is outside this trace.`);
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
  const call = link.call && { ...link.call, at: sinceBase(clock, link.call.start) };
  if (call && (call.at < 0 || call.at > limits.span)) {
    problems.push('The call in the URL is outside this trace.');
  } else if (call) {
    const { pid, generation, at } = call;
    view = { ...view, calls: { ...view.calls, at: { pid, generation, at } } };
  }
  view = { ...view, selection: run && { cpu: run.cpu, start: run.at }, event, marks };
  for (const name of TIME_MARKS) {
    const absolute = link.timeMarks[name];
    const at = absolute === null ? null : sinceBase(clock, absolute);
    if (at !== null && (at < 0 || at > limits.span)) {
      problems.push(`The mark ${name.toUpperCase()} in the URL is outside this trace.`);
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

function decodeFields(fields: Fields, problems: string[]): Decoded {
  let link = emptyLink;
  const fingerprint = fields.get('fp')?.[0];
  if (fingerprint !== undefined && /^[0-9a-f]{1,16}$/.test(fingerprint)) {
    link = { ...link, trace: { name: fields.get('trace')?.[0]?.slice(0, NAME_ROOM) ?? '', fingerprint } };
  } else if (fingerprint !== undefined) {
    problems.push(ignored('fp', 'expected a hexadecimal fingerprint'));
  }
  const besides = fields.get('beside') ?? [];
  const beside = besides.flatMap((text) => parseBeside(text) ?? []).slice(0, MAX_BESIDE);
  link = { ...link, beside };
  if (beside.length < besides.length) {
    problems.push(ignored('beside', `expected at most ${MAX_BESIDE} fingerprints and offsets in ns, like 00ff@-1500`));
  }
  for (const { name, parse, expected } of FIELDS) {
    const texts = fields.get(name);
    if (texts === undefined) continue;
    const read = parse(link, texts);
    link = read.link;
    if (!read.isFine) problems.push(ignored(name, `expected ${expected}`));
  }
  const understood = new Set(['v', 'trace', 'fp', 'beside', ...FIELDS.map(({ name }) => name)]);
  const unknown = [...fields.keys()].filter((name) => !understood.has(name)).slice(0, MAX_UNKNOWN);
  problems.push(
    ...unknown.map((name) => ignored(Array.from(name).slice(0, MAX_NAME).join(''), 'no part of a view is called so')),
  );
  return { link, problems };
}

function parseBeside(text: string): LinkedTrace | null {
  const match = /^([0-9a-f]{1,16})@(-?\d{1,15})$/.exec(text);
  return match?.[1] === undefined ? null : { fingerprint: match[1], offset: ns(Number(match[2])) };
}

/** The most unknown fields that are named: a mangled link may have any number. */
const MAX_UNKNOWN = 5;

const ignored = (name: string, why: string): string => `“${name}” in the URL was ignored: ${why}.`;
