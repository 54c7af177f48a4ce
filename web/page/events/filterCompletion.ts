/** Names that may stand at a place of a filter's expression. Pure. */
import type { EventField, EventName } from '../../engine/protocol';

/** A name, and what is said of it. */
export interface Completion {
  readonly text: string;
  readonly note: string;
}

/** The names that fit what was typed, and where that is in the text. */
export interface Completions {
  readonly start: number;
  readonly end: number;
  readonly options: readonly Completion[];
}

/** The most names that are offered. */
const MOST = 10;

/**
 * The names that hold the word before the caret: fields, and at the beginning events too. Those that begin with it come
 * first.
 */
export function completionsAt(
  text: string,
  caret: number,
  fields: readonly EventField[],
  events: readonly EventName[],
): Completions {
  const word = /[\w/]*$/.exec(text.slice(0, caret))?.[0] ?? '';
  const behind = /^[\w/]*/.exec(text.slice(caret))?.[0] ?? '';
  const start = caret - word.length;
  const isFirst = /^[\w/,* ]*$/.test(text.slice(0, start));
  const all: Completion[] = fields.map(({ name, events: count }) => ({
    text: name,
    note: count === 0 ? 'every event' : count === 1 ? '1 event' : `${count} events`,
  }));
  if (isFirst) all.push(...events.map(({ system, name }) => ({ text: `${system}/${name}:`, note: 'event' })));
  const typed = word.toLowerCase();
  const rank = ({ text: name }: Completion): number =>
    name.toLowerCase().startsWith(typed) ? 0 : name.toLowerCase().includes(typed) ? 1 : 2;
  const options = all
    .filter((option) => rank(option) < 2)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST);
  return { start, end: caret + behind.length, options };
}

/** The text with a name in place of what was typed of it, and where the caret is then. */
export function completed(
  text: string,
  { start, end }: Completions,
  option: Completion,
): { text: string; caret: number } {
  const name = `${option.text} `;
  return { text: text.slice(0, start) + name + text.slice(end).trimStart(), caret: start + name.length };
}
