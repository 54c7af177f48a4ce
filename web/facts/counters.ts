/** The counter that the lanes show: a number in the fields of an event, over time, by CPU or by task. Found by the events worker. */
import { type Observable, observable } from '../base/observable';
import type { EngineClient } from '../engine/client';
import type { CounterBy, EventCounterInfo } from '../engine/protocol';
import { counterOfText } from '../state/counter';
import { perEngine } from './facts';
import { Retries } from './retries';

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

class Counters {
  readonly state: Observable<CounterState> = observable(NOTHING);
  readonly #engine: EngineClient;
  readonly #by: CounterBy;
  #session = 0;
  /** Grows whenever a counter is asked for. */
  #turn = 0;
  readonly #retries = new Retries();
  #underWay = false;

  constructor(engine: EngineClient, by: CounterBy) {
    this.#engine = engine;
    this.#by = by;
    engine.on((event) => {
      if (event.type === 'restarted') this.#restarted(event.what);
    });
  }

  /** Finds the values of this counter from now on, and of no other. */
  async want(counter: string): Promise<void> {
    const before = this.state.get();
    const { session } = this.#engine;
    if (this.#session === session && counter === before.counter) return;
    this.#session = session;
    this.#retries.reset();
    await this.#ask(counter);
  }

  /** Another events worker takes the place of one that stopped, and knows no values. What is under way is asked of it by the engine. */
  #restarted(what: string): void {
    const { counter, revision } = this.state.get();
    if (this.#underWay || counterOfText(counter) === null || this.#session !== this.#engine.session) return;
    if (this.#retries.take()) {
      void this.#ask(counter);
    } else {
      this.state.set({ ...NOTHING, counter, error: what, revision: revision + 1 });
    }
  }

  async #ask(counter: string): Promise<void> {
    const turn = ++this.#turn;
    const number = counterOfText(counter);
    this.#underWay = number !== null;
    this.state.set({ ...NOTHING, counter, revision: this.state.get().revision + 1 });
    if (number === null) return;
    const tell = (change: Partial<CounterState>): void => {
      const now = this.state.get();
      if (turn === this.#turn) this.state.set({ ...now, ...change, revision: now.revision + 1 });
    };
    const query = { type: 'event_counter', number, by: this.#by } as const;
    const outcome = await this.#engine.query(
      `counter/${this.#by}`,
      query,
      ({ answer }) => answer && tell({ info: answer }),
    );
    if (turn === this.#turn) this.#underWay = false;
    if (outcome.kind === 'answer') tell({ info: outcome.answer });
    else if (outcome.kind === 'failed') tell({ error: outcome.error.what });
  }
}

const COUNTERS = {
  cpu: perEngine((engine) => new Counters(engine, 'cpu')),
  task: perEngine((engine) => new Counters(engine, 'task')),
} as const satisfies Record<CounterBy, unknown>;

/** The counter of an engine's trace, of its CPUs or of its tasks. */
export const counterOf = (engine: EngineClient, by: CounterBy): Counters => COUNTERS[by](engine);
