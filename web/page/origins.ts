/** The origins of traces as the query of the page's URL names them: `?trace=sample`, `?trace=traces/a.dat`. */
import type { Origin } from '../state/traces';

export const SAMPLE: Origin = { source: { kind: 'url', url: 'sample.dat' }, query: 'sample', name: 'sample.dat' };

/** A `trace=` for each trace, beginning with the first; empty for a file that others follow. */
export function tracesInQuery(queries: readonly (string | null)[]): readonly string[] {
  const last = queries.findLastIndex((query) => query !== null);
  return queries.slice(0, last + 1).map((query) => `trace=${query === null ? '' : readable(query)}`);
}

/** How the names of files end that hold a view, and not a trace. */
export const VIEW_FILE = '.corelane';

export const isView = ({ name }: File): boolean => name.endsWith(VIEW_FILE);

export const originOfFile = (file: File): Origin => ({ source: { kind: 'file', file }, query: null, name: file.name });

export const originOf = (query: string): Origin => (query === 'sample' ? SAMPLE : urlOrigin(query));

function urlOrigin(url: string): Origin {
  const name = url.split(/[?#]/)[0]?.split('/').at(-1);
  return { source: { kind: 'url', url }, query: url, name: name === undefined || name === '' ? url : name };
}

/** Escapes a text for a query, but leaves as it is what need not be escaped. */
const readable = (text: string): string => encodeURIComponent(text).replace(/%(2F|3A)/g, decodeURIComponent);
