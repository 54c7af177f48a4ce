/** The events that pass the view's filter, counted once for all who show them: a scan of all records, in the events worker. */
import { type Observable, observable } from '../base/observable';
import { afterRest } from '../base/rest';
import type { EngineClient } from '../engine/client';
import type { EventFilterError, EventHit } from '../engine/protocol';
import { isExpression } from './events';

export interface HitsState {
  /** What events have to pass; empty: nothing is looked for. */
  readonly expression: string;
  /** Events that pass, of those that were looked at. */
  readonly total: number;
  /** How many were looked at, from 0 to 1. */
  readonly share: number;
  readonly complete: boolean;
  /** What is wrong with the expression, or why there is no answer. */
  readonly error: EventFilterError | string | null;
  /** Grows whenever more is known. */
  readonly revision: number;
}

const NOTHING: HitsState = { expression: '', total: 0, share: 1, complete: true, error: null, revision: 0 };

/** How long typing has to rest, in ms. */
const REST = 120;

/** An expression for what the user typed: a plain text is one that lines hold. */
export function expressionOf(filter: string): string {
  const text = filter.trim();
  if (text === '' || isExpression(text)) return text;
  // First for the pattern, in which these stand for something else, then for the quotes around it.
  const pattern = text.replace(/[\\*?[]/g, '\\$&');
  return `text ~ "${pattern.replace(/[\\"]/g, '\\$&')}"`;
}

export class Hits {
  readonly state: Observable<HitsState> = observable(NOTHING);
  /** The hit that was gone to last. */
  readonly current: Observable<EventHit | null> = observable<EventHit | null>(null);
  readonly #engine: EngineClient;
  #session = 0;
  #cancel: () => void = () => undefined;

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  /** Looks for what passes a filter from now on, and for nothing else. */
  want(filter: string): void {
    const expression = expressionOf(filter);
    const before = this.state.get();
    const isOther = this.#session !== this.#engine.session;
    if (!isOther && expression === before.expression) return;
    this.#session = this.#engine.session;
    this.#cancel();
    this.current.set(null);
    this.state.set({
      ...NOTHING,
      expression,
      share: expression === '' ? 1 : 0,
      complete: expression === '',
      revision: before.revision + 1,
    });
    // The empty expression ends the scan that may be under way.
    if (expression !== '' || (!isOther && !before.complete))
      this.#cancel = afterRest(REST, () => void this.#ask(expression));
  }

  async #ask(expression: string): Promise<void> {
    const session = this.#session;
    const isWanted = (): boolean => session === this.#session && this.state.get().expression === expression;
    const tell = (change: Partial<HitsState>): void => {
      const before = this.state.get();
      if (isWanted()) this.state.set({ ...before, ...change, revision: before.revision + 1 });
    };
    const query = { type: 'event_hits', expression } as const;
    const outcome = await this.#engine.query('hits', query, ({ share, answer }) =>
      tell({ share, total: answer?.total ?? 0 }),
    );
    if (expression === '') return;
    if (outcome.kind === 'answer') {
      const { total, error } = outcome.answer;
      tell({ total, error, share: 1, complete: true });
    } else if (outcome.kind === 'failed') {
      tell({ error: outcome.error.what, share: 1, complete: true });
    }
  }
}

const held = new WeakMap<EngineClient, Hits>();

/** The hits of an engine's trace. */
export function hitsOf(engine: EngineClient): Hits {
  const known = held.get(engine) ?? new Hits(engine);
  held.set(engine, known);
  return known;
}
