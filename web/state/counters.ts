/** The counter that the lanes show: a number in the fields of an event, over time, by CPU or by task. Found by the events worker. */
import { type Observable, observable } from '../base/observable';
import type { EngineClient } from '../engine/client';
import type { CounterBy, EventCounterInfo } from '../engine/protocol';
import { counterOfText } from './counter';

export interface CounterState {
  /** `system:event:field`; empty: none. */
  readonly counter: string;
  /** What is known of its values; null: nothing yet. */
  readonly info: EventCounterInfo | null;
  /** Why there is no answer. */
  readonly error: string | null;
  /** Grows whenever more is known. */
  readonly revision: number;
}

const NOTHING: CounterState = { counter: '', info: null, error: null, revision: 0 };

export class Counters {
  readonly state: Observable<CounterState> = observable(NOTHING);
  readonly #engine: EngineClient;
  readonly #by: CounterBy;
  #session = 0;

  constructor(engine: EngineClient, by: CounterBy) {
    this.#engine = engine;
    this.#by = by;
  }

  /** Finds the values of this counter from now on, and of no other. */
  async want(counter: string): Promise<void> {
    const before = this.state.get();
    const { session } = this.#engine;
    if (this.#session === session && counter === before.counter) return;
    this.#session = session;
    this.state.set({ ...NOTHING, counter, revision: before.revision + 1 });
    const number = counterOfText(counter);
    if (number === null) return;
    const tell = (change: Partial<CounterState>): void => {
      const now = this.state.get();
      if (session === this.#session && now.counter === counter)
        this.state.set({ ...now, ...change, revision: now.revision + 1 });
    };
    const query = { type: 'event_counter', number, by: this.#by } as const;
    const outcome = await this.#engine.query(
      `counter/${this.#by}`,
      query,
      ({ answer }) => answer && tell({ info: answer }),
    );
    if (outcome.kind === 'answer') tell({ info: outcome.answer });
    else if (outcome.kind === 'failed') tell({ error: outcome.error.what });
  }
}

const held: Readonly<Record<CounterBy, WeakMap<EngineClient, Counters>>> = { cpu: new WeakMap(), task: new WeakMap() };

/** The counter of an engine's trace, of its CPUs or of its tasks. */
export function counterOf(engine: EngineClient, by: CounterBy): Counters {
  const known = held[by].get(engine) ?? new Counters(engine, by);
  held[by].set(engine, known);
  return known;
}
