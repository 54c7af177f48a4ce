/** Keeps the engine's topology equal to the view's, and how the engine understood it for the page. */
import { type Observable, observable } from '../../base/observable';
import type { EngineClient } from '../../engine/client';
import type { Topology } from '../../engine/protocol';
import type { Store } from '../../state/store';

interface MachineOptions {
  readonly engine: EngineClient;
  readonly store: Store;
  /** Reports what is wrong with the view's text. */
  readonly warn: (problem: string) => void;
}

export class Machine {
  /** null: not known. */
  readonly topology: Observable<Topology | null> = observable<Topology | null>(null);
  readonly #options: MachineOptions;
  #sent = '';

  constructor(options: MachineOptions) {
    this.#options = options;
  }

  /** Another trace is being opened: its engine knows no topology yet. */
  forget(): void {
    this.#sent = '';
    this.topology.set(null);
  }

  /** Tells the engine of an open trace the view's topology when that has changed. */
  follow(): void {
    const { engine, store, warn } = this.#options;
    const { text } = store.getState().topology;
    if (text === this.#sent) return;
    this.#sent = text;
    void engine.query('topology', { type: 'set_topology', text: text === '' ? null : text }).then((outcome) => {
      if (outcome.kind !== 'answer' || text !== this.#sent) return;
      const { topology, error } = outcome.answer;
      if (error === null) {
        this.topology.set(topology);
        return;
      }
      this.forget();
      warn(`“topology” in the URL was ignored: ${error}.`);
      store.dispatch({ type: 'topology', change: { text: '' } });
    });
  }
}
