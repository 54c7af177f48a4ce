/** Keeps the names that the engine gives to system calls equal to what the view asks for. */
import { type Observable, observable } from '../../base/observable';
import type { EngineClient } from '../../engine/client';
import type { Store } from '../../state/store';

interface CallNamesOptions {
  readonly engine: EngineClient;
  readonly store: Store;
}

/** What an engine begins with. */
const FIRST = JSON.stringify(['', []]);

export class CallNames {
  /** What is wrong with the view's choice; null: nothing. */
  readonly problem: Observable<string | null> = observable<string | null>(null);
  readonly #options: CallNamesOptions;
  #sent = FIRST;

  constructor(options: CallNamesOptions) {
    this.#options = options;
  }

  /** Another trace is being opened. */
  forget(): void {
    this.#sent = FIRST;
    this.problem.set(null);
  }

  /** Tells the engine of an open trace what the view asks for when that has changed. */
  follow(): void {
    const { engine, store } = this.#options;
    const { arch, compat } = store.getState().calls;
    const wanted = JSON.stringify([arch, compat]);
    if (wanted === this.#sent) return;
    this.#sent = wanted;
    const query = { type: 'set_call_names', arch: arch === '' ? null : arch, compat } as const;
    void engine.query('calls/names', query).then((outcome) => {
      // A trace without calls has none to name.
      if (outcome.kind === 'answer' && wanted === this.#sent) this.problem.set(outcome.answer.error);
    });
  }
}
