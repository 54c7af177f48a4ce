/**
 * The selected run: its interval, its wakeup chain and its cascade. The engine is asked once for all that show them:
 * the lanes, the details, the list of events and the keys.
 */
import { type Observable, observable } from '../base/observable';
import type { EngineClient } from '../engine/client';
import type { Interval } from '../engine/protocol';
import { cpuAt } from '../engine/protocolTracks';
import { CHAIN_HOPS } from '../state/findings';
import { noRun, type SelectedRun, type SelectKnown } from '../state/selectedRun';
import type { Store } from '../state/store';
import type { RunRef } from '../state/viewState';

interface SelectedRunOptions {
  readonly engine: EngineClient;
  readonly store: Store;
}

export class SelectedRunOwner {
  readonly #engine: EngineClient;
  readonly #store: Store;
  readonly #run: Observable<SelectedRun> = observable(noRun);
  /** The selection that the present answers belong to. */
  #selection: RunRef | null = null;
  #session = 0;
  #revision = 0;
  #traceRevision = 0;
  /** The interval that is being selected, while its action is dispatched. */
  #known: Interval | null = null;
  /** Resolves when the interval and the chain of the selection are known. */
  #asked: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  #turn = 0;

  constructor({ engine, store }: SelectedRunOptions) {
    this.#engine = engine;
    this.#store = store;
    store.subscribe(() => this.#follow());
    engine.onRevision(() => this.#follow());
  }

  readonly get = (): SelectedRun => this.#run.get();

  readonly subscribe = (listener: () => void): (() => void) => this.#run.subscribe(listener);

  /** Whether no query is under way. */
  get idle(): boolean {
    return this.#underWay === 0;
  }

  /** Dispatches an action that selects `interval`, which is then not asked for again; null: the interval is unknown. */
  readonly selectKnown: SelectKnown = (interval, action) => {
    this.#known = interval;
    this.#store.dispatch(action);
    this.#known = null;
  };

  /** The interval and the chain of the selection, as soon as they are known. */
  async settled(): Promise<SelectedRun> {
    let asked: Promise<unknown>;
    do {
      asked = this.#asked;
      await asked;
    } while (asked !== this.#asked);
    return this.get();
  }

  #follow(): void {
    const { selection } = this.#store.getState();
    const { session, revision, traceRevision } = this.#engine;
    const isSame = selection?.cpu === this.#selection?.cpu && selection?.start === this.#selection?.start;
    const sameSession = session === this.#session;
    if (isSame && sameSession && revision === this.#revision) return;
    const sameTrace = traceRevision === this.#traceRevision;
    const known = isSame || revision !== this.#revision ? null : this.#knownAt(selection);
    // The same selection keeps its object, by which late answers are recognised.
    if (!isSame) this.#selection = selection;
    const turn = ++this.#turn;
    this.#session = session;
    this.#revision = revision;
    this.#traceRevision = traceRevision;
    if (selection === null) {
      this.#run.set(noRun);
      this.#asked = Promise.resolve();
      return;
    }
    const before = sameSession ? this.get() : noRun;
    this.#run.set({ ...before, status: 'asking', isPresent: isSame && before.isPresent });
    this.#asked = Promise.all([this.#pick(turn, selection, known), this.#chain(turn, selection)]);
    // A cascade is about the trace, whatever the view shows of it.
    if (!isSame || !sameTrace) void this.#cascade(this.#selection ?? selection);
  }

  #knownAt(selection: RunRef | null): Interval | null {
    const known = this.#known;
    return known?.cpu === selection?.cpu && known?.start === selection?.start ? known : null;
  }

  async #pick(turn: number, selection: RunRef, known: Interval | null): Promise<void> {
    const { cpu, start: at } = selection;
    const outcome = known
      ? ({ kind: 'answer', answer: { item: known } } as const)
      : await this.#query('run', cpuAt(cpu, at));
    // Answered in a later turn even if it is known, so that all listeners of the store hear of the selection first.
    await Promise.resolve();
    if (turn !== this.#turn) return;
    if (outcome.kind === 'superseded') {
      // No later question superseded it: the trace is gone.
      this.#run.set(noRun);
      return;
    }
    const run = { ...this.get(), isPresent: true };
    this.#run.set(
      outcome.kind === 'answer'
        ? { ...run, status: 'known', interval: outcome.answer.item, error: null }
        : { ...run, status: 'failed', interval: null, error: outcome.error },
    );
  }

  async #chain(turn: number, selection: RunRef): Promise<void> {
    const { cpu, start: at } = selection;
    const outcome = await this.#query('chain', { type: 'chain', cpu, at, hops: CHAIN_HOPS });
    if (turn !== this.#turn || outcome.kind === 'superseded') return;
    this.#run.set({ ...this.get(), chain: outcome.kind === 'answer' ? outcome.answer.chain : null });
  }

  async #cascade(selection: RunRef): Promise<void> {
    const { cpu, start: at } = selection;
    const outcome = await this.#query('cascade', { type: 'cascade_of', cpu, at });
    if (selection !== this.#selection || outcome.kind === 'superseded') return;
    this.#run.set({ ...this.get(), cascade: outcome.kind === 'answer' ? outcome.answer.cascade : null });
  }

  readonly #query: EngineClient['query'] = async (key, query, onProgress) => {
    this.#underWay++;
    try {
      return await this.#engine.query(`selected/${key}`, query, onProgress);
    } finally {
      this.#underWay--;
    }
  };
}
