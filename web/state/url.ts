/**
 * A view as a URL fragment: `#v=1&trace=a.dat&fp=...&window=12.3-12.4&select=3@12.35&colour=command`.
 *
 * In the fragment, because browsers do not send it: what someone looks at stays theirs. Identities are stable (CPU
 * numbers, comms, absolute trace times), never indices. Every field is decoded by itself: a bad one is reported and
 * ignored, the others apply.
 */
import { absoluteText, parseAbsolute, sinceBase, type TraceClock } from '../base/traceTime';
import { ns, type TimeWindow } from '../base/units';
import type { ColourMode, Limits, ViewState } from './viewState';
import { initialView, MAX_HIGHLIGHTED, MAX_LANE_SCALE, reduce, timeBounds } from './viewState';

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

/** A decoded fragment. Times are absolute, since the trace that they belong to may not be open yet. */
export interface Link {
  readonly trace: TraceIdentity | null;
  readonly window: AbsoluteWindow | null;
  readonly range: AbsoluteWindow | null;
  readonly selection: { readonly cpu: number; readonly start: bigint } | null;
  readonly view: Pick<
    ViewState,
    'colour' | 'target' | 'highlighted' | 'forked' | 'afterSleep' | 'laneScale' | 'laneScroll'
  >;
}

export interface Decoded {
  /** null: the fragment holds no view. */
  readonly link: Link | null;
  /** In words, for the user. */
  readonly problems: readonly string[];
}

const MAX_NAME = 80;
const MAX_COMM = 64;
const COLOURS: readonly ColourMode[] = ['pid', 'command', 'target'];

export function encodeFragment(view: ViewState, trace: TraceIdentity, clock: TraceClock): string {
  const fields: [string, string][] = [
    ['v', `${URL_VERSION}`],
    ['trace', Array.from(trace.name).slice(0, MAX_NAME).join('')],
    ['fp', trace.fingerprint],
  ];
  const span = ({ start, end }: TimeWindow): string => `${absoluteText(clock, start)}-${absoluteText(clock, end)}`;
  if (view.window) {
    fields.push(['window', span(view.window)]);
  }
  if (view.selection) {
    fields.push(['select', `${view.selection.cpu}@${absoluteText(clock, view.selection.start)}`]);
  }
  if (view.range) {
    fields.push(['range', span(view.range)]);
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
  if (view.laneScale !== 1 || view.laneScroll !== 0) {
    fields.push(['lanes', `${decimals(view.laneScale)},${decimals(view.laneScroll)}`]);
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
  view = { ...view, range: fitted('time range', link.range) };
  view = reduce(view, { type: 'showWindow', window }, limits);
  if (link.selection) {
    const start = sinceBase(clock, link.selection.start);
    if (!cpus.includes(link.selection.cpu)) {
      problems.push(`The URL selects a run on CPU ${link.selection.cpu}, which this trace does not have.`);
    } else if (start < 0 || start >= limits.span) {
      problems.push('The run that the URL selects lies outside this trace.');
    } else {
      view = { ...view, selection: { cpu: link.selection.cpu, start } };
    }
  }
  return { view, problems };
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
  /** The field's value, or `missing` where it is absent or bad. */
  const read = <T>(name: string, decode: (text: string) => T | null, missing: T, expected: string): T => {
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
    selection: read('select', decodeSelection, null, 'a CPU and a time, like 3@12.5'),
    view: {
      colour: read('colour', oneOf(COLOURS), initialView.colour, COLOURS.join(', ')),
      target: read('target', (text) => (text.length <= MAX_COMM ? text : null), '', 'the beginning of a command name'),
      highlighted: [...new Set(highlighted)].slice(0, MAX_HIGHLIGHTED),
      forked: read('forked', decodeFlag, false, '0 or 1'),
      afterSleep: read('after-sleep', decodeFlag, false, '0 or 1'),
      ...lanes,
    },
  };
  return { link, problems };
}

const ignored = (name: string, why: string): string => `“${name}” in the URL was ignored: ${why}.`;

/** Keeps what is legal in a fragment readable. */
const escapeValue = (value: string): string => encodeURIComponent(value).replace(/%(40|2C|2F|3A)/g, decodeURIComponent);

const decimals = (value: number): string => `${Math.round(value * 1000) / 1000}`;

const decodeFlag = (text: string): boolean | null => (text === '1' ? true : text === '0' ? false : null);

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | null =>
    values.find((value) => value === text) ?? null;

const matching =
  (pattern: RegExp) =>
  (text: string): string | null =>
    pattern.test(text) ? text : null;

function decodeWindow(text: string): AbsoluteWindow | null {
  const match = /^(-?[\d.]+)-(-?[\d.]+)$/.exec(text);
  const start = parseAbsolute(match?.[1] ?? '');
  const end = parseAbsolute(match?.[2] ?? '');
  return start !== null && end !== null && start < end ? { start, end } : null;
}

function decodeSelection(text: string): Link['selection'] {
  const match = /^(\d{1,6})@(-?[\d.]+)$/.exec(text);
  const start = parseAbsolute(match?.[2] ?? '');
  return match && start !== null ? { cpu: Number(match[1]), start } : null;
}

function decodeLanes(text: string): { laneScale: number; laneScroll: number } | null {
  const match = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text);
  const laneScale = Number(match?.[1]);
  const laneScroll = Number(match?.[2]);
  return match && laneScale >= 1 && laneScale <= MAX_LANE_SCALE ? { laneScale, laneScroll } : null;
}
