/** Fields of a URL, and functions that make one from a part of the view. */
import { absoluteText, parseAbsolute, type TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { FindingsView } from '../findings';
import type { TimeMarkName } from '../marks';
import { initialView, type ViewState } from '../viewState';
import { escapeValue } from './escape';
import type { Link } from './link';
import { atMost, oneOf, parseFlag, parsePlace, parseWindow, printWindow } from './values';

/** One field, or several with the same name. */
export interface Field {
  readonly name: string;
  /** The values that a view has for the field; none where they are those of the initial view. */
  readonly print: (view: ViewState, clock: TraceClock) => readonly string[];
  /** Puts what texts of this name say into the link; null where they are not what the field may hold. */
  readonly parse: (link: Link, texts: readonly string[]) => { readonly link: Link; readonly isFine: boolean };
  /** What the field may hold, in words. */
  readonly expected: string;
  /** How many characters the user's own choices and texts take; 0 for fields that are short whatever is chosen. */
  readonly length: (view: ViewState) => number;
}

interface FieldOf<T> {
  readonly get: (view: ViewState) => T;
  readonly set: (link: Link, value: T) => Link;
  readonly parse: (text: string) => T | null;
  readonly print: (value: T) => string;
  readonly isDefault: (value: T, view: ViewState) => boolean;
  readonly expected: string;
  readonly length?: (view: ViewState) => number;
}

export function field<T>(name: string, { get, set, parse, print, isDefault, expected, length }: FieldOf<T>): Field {
  return {
    name,
    expected,
    length: length ?? (() => 0),
    print: (view) => (isDefault(get(view), view) ? [] : [print(get(view))]),
    parse: (link, [text = '']) => {
      const value = parse(text);
      return value === null ? { link, isFine: false } : { link: set(link, value), isFine: true };
    },
  };
}

/** A field that holds a time, which is absolute in the link. */
export function timed<T, Absolute>(
  name: string,
  of: {
    readonly get: (view: ViewState) => T | null;
    readonly print: (clock: TraceClock, value: T) => string;
    readonly parse: (text: string) => Absolute | null;
    readonly set: (link: Link, value: Absolute) => Link;
    readonly expected: string;
    readonly length?: (view: ViewState) => number;
  },
): Field {
  return {
    name,
    expected: of.expected,
    length: of.length ?? (() => 0),
    print: (view, clock) => {
      const value = of.get(view);
      return value === null ? [] : [of.print(clock, value)];
    },
    parse: (link, [text = '']) => {
      const value = of.parse(text);
      return value === null ? { link, isFine: false } : { link: of.set(link, value), isFine: true };
    },
  };
}

type Accessors<T> = Pick<FieldOf<T>, 'get' | 'set' | 'isDefault'>;

/** Accessors of a field of the view. */
export const own = <K extends keyof ViewState>(key: K): Accessors<ViewState[K]> => ({
  get: (view) => view[key],
  set: (link, value) => ({ ...link, view: { ...link.view, [key]: value } }),
  isDefault: (value) => value === initialView[key],
});

/** Accessors of a field in a part of the view. */
export const part = <P extends 'events' | 'latency' | 'calls' | 'pairs' | 'topology', K extends keyof ViewState[P]>(
  name: P,
  key: K,
): Accessors<ViewState[P][K]> => ({
  get: (view) => view[name][key],
  set: (link, value) => ({ ...link, view: { ...link.view, [name]: { ...link.view[name], [key]: value } } }),
  isDefault: (value) => value === initialView[name][key],
});

export const finding = <K extends 'kinds' | 'least' | 'movable'>(key: K): Accessors<FindingsView[K]> => ({
  get: (view) => view.findings[key],
  set: (link, value) => ({
    ...link,
    findings: { ...link.findings, findings: { ...link.findings.findings, [key]: value } },
  }),
  isDefault: (value) => value === initialView.findings[key],
});

export const flag = { parse: parseFlag, print: (on: boolean) => (on ? '1' : '0'), expected: '0 or 1' };

export const word = <T extends string>(values: readonly T[], between = ', ') => ({
  parse: oneOf(values),
  print: (value: T) => value,
  expected: values.join(between),
});

export const typed = (most: number, expected: string) => ({
  parse: atMost(most),
  print: (text: string) => text,
  expected,
});

export const span = { print: printWindow, parse: parseWindow, expected: 'two times, like 12.5-12.75' };
export const place = { parse: parsePlace, expected: 'a CPU and a time, like 3@12.5' };

export const timeMark = (name: TimeMarkName): Field =>
  timed<Ns, bigint>(name, {
    get: (view) => view.timeMarks[name],
    print: absoluteText,
    parse: parseAbsolute,
    set: (link, at) => ({ ...link, timeMarks: { ...link.timeMarks, [name]: at } }),
    expected: 'a time, like 12.5',
  });

export const escaped = (text: string): number => escapeValue(text).length;
