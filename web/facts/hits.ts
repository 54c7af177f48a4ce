/**
 * The events that pass the view's filter, counted once for all who show them: a scan of all records, in the events worker. When
 * it is over, the engine hears which runs these events stand for: lanes, curves, tables and findings are then of those.
 */
import { type Observable, observable } from '../base/observable';
import type { EngineClient, Outcome } from '../engine/client';
import type { EventFilterError, EventHit, FilterStep } from '../engine/protocol';
import { expressionOf } from '../state/filter';
import { perEngine } from './facts';
import { insist, Retries } from './retries';

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
  /** Grows when marks have to be asked for again: at the first hits, from time to time, and when all is known. */
  readonly revision: number;
}

const NOTHING: HitsState = { expression: '', total: 0, share: 1, complete: true, error: null, revision: 0 };

const NO_WORDS = new Uint32Array();

interface Passing {
  readonly runs: number;
  readonly words: Uint32Array<ArrayBuffer>;
}

/** Between two times that marks are asked for again while the scan goes on, in ms: they cost the worker that scans, and a frame. */
const BETWEEN_MARKS = 500;

/** Fields that are derived from where tasks ran, which the records do not tell. */
const DERIVED = /\b(orig_cpu|distance)\b/;

class Hits {
  readonly state: Observable<HitsState> = observable(NOTHING);
  /** The hit that was gone to last. */
  readonly current: Observable<EventHit | null> = observable<EventHit | null>(null);
  readonly #engine: EngineClient;
  #session = 0;
  /** The machine, as far as the expression depends on it. */
  #machine = '';
  /** Grows whenever something is looked for, or given up. */
  #turn = 0;
  readonly #retries = new Retries();

  constructor(engine: EngineClient) {
    this.#engine = engine;
    engine.on((event) => {
      if (event.type === 'restarted') this.#restarted(event.what);
    });
  }

  /** Looks for what passes a filter from now on, and for nothing else. `topology`: the machine, for distances. */
  want(filter: string, topology = ''): void {
    const expression = expressionOf(filter);
    const machine = DERIVED.test(expression) ? topology : '';
    const before = this.state.get();
    const isOther = this.#session !== this.#engine.session;
    if (!isOther && expression === before.expression && machine === this.#machine) return;
    this.#session = this.#engine.session;
    this.#machine = machine;
    this.#retries.reset();
    this.#begin(expression);
    // Each letter begins a scan: it ends as soon as another is asked for, and a timer would wait for a frame or two. The empty
    // expression ends the one that may be under way, and the filter.
    if (expression !== '' || this.#engine.passing.get() !== null || (!isOther && !before.complete))
      void this.#ask(expression, machine);
  }

  #begin(expression: string): void {
    this.#turn++;
    this.current.set(null);
    this.state.set({
      ...NOTHING,
      expression,
      share: expression === '' ? 1 : 0,
      complete: expression === '',
      revision: this.state.get().revision + 1,
    });
  }

  /** Another events worker takes the place of one that stopped: it knows neither hits nor where tasks ran. */
  #restarted(what: string): void {
    const state = this.state.get();
    const { expression, complete, revision } = state;
    if (expression === '' || this.#session !== this.#engine.session) return;
    // The scan that is under way is asked for again by the engine, but it tells nobody again where tasks ran.
    if (!complete && !DERIVED.test(expression)) return;
    if (this.#retries.take()) {
      this.#begin(expression);
      void this.#ask(expression, this.#machine);
    } else {
      this.#turn++;
      this.state.set({ ...state, total: 0, error: what, share: 1, complete: true, revision: revision + 1 });
    }
  }

  async #ask(expression: string, machine: string): Promise<void> {
    const turn = this.#turn;
    const isWanted = (): boolean => turn === this.#turn;
    const tell = (change: Partial<HitsState>, marks = 1): void => {
      const before = this.state.get();
      if (isWanted()) this.state.set({ ...before, ...change, revision: before.revision + marks });
    };
    let [marked, markedAt] = [0, 0];
    const progress = (share: number, total: number): void => {
      const now = performance.now();
      const isDue = total > marked && (marked === 0 || now >= markedAt + BETWEEN_MARKS);
      if (isDue) [marked, markedAt] = [total, now];
      tell({ share, total }, isDue ? 1 : 0);
    };
    if (DERIVED.test(expression)) await this.#tellPlaces(machine);
    if (!isWanted()) return;
    const query = { type: 'event_hits', expression } as const;
    const asked = this.#engine.query('hits', query, ({ share, answer }) => progress(share, answer?.total ?? 0));
    // What ends the scan has no answer of its own to wait for.
    const outcome = expression === '' ? null : await asked;
    if (outcome?.kind === 'answer') {
      const { total, error } = outcome.answer;
      tell({ total, error, share: 1, complete: true });
    } else if (outcome?.kind === 'failed') {
      tell({ error: outcome.error.what, share: 1, complete: true });
    }
    if (!isWanted() || outcome?.kind === 'superseded') return;
    const isFilter = expression !== '' && this.state.get().error === null;
    if (!isFilter && this.#engine.passing.get() === null) return;
    const passing = isFilter ? await insist(() => this.#carry(expression, isWanted), isWanted) : null;
    if (!isWanted() || passing?.kind === 'superseded') return;
    if (passing?.kind === 'failed') tell({ error: passing.error.what });
    // From now on, only the runs count for which events that pass stand.
    const { runs, words } = passing?.kind === 'answer' ? passing.answer : { runs: null, words: NO_WORDS };
    await this.#engine.query('hits/runs', { type: 'filter_runs', runs, words });
  }

  async #tellPlaces(topology: string): Promise<void> {
    const query = { type: 'run_places', topology: topology || null } as const;
    const outcome = await this.#engine.query('hits/places', query);
    if (outcome.kind === 'answer')
      await this.#engine.query('hits/learn', { type: 'event_places', places: outcome.answer.words });
  }

  /**
   * The runs for which these events stand: the events are carried from the worker that has them to one that knows the runs. If that stops between two steps, the next one
   * is another worker's, which has not heard of the first: it fails.
   */
  async #carry(expression: string, isWanted: () => boolean): Promise<Outcome<Passing>> {
    const step = (step: FilterStep, words: Uint32Array<ArrayBuffer> = NO_WORDS) =>
      this.#engine.query('hits/passing', { type: 'passing_runs', step, words });
    const begun = await step('begin');
    if (begun.kind !== 'answer') return begun;
    let [place, first] = [0, 0];
    while (isWanted()) {
      const outcome = await this.#engine.query('hits/of', { type: 'event_hit_runs', expression, place, first });
      if (outcome.kind !== 'answer') return outcome;
      if (!isWanted()) break;
      const { cpu, count, more, values } = outcome.answer;
      if (cpu === null) return await step('finish');
      if (count > 0) {
        const added = await step({ add: cpu }, values);
        if (added.kind !== 'answer') return added;
      }
      [place, first] = more ? [place, first + count] : [place + 1, 0];
    }
    return { kind: 'superseded' };
  }
}

/** The hits of an engine's trace. */
export const hitsOf = perEngine((engine) => new Hits(engine));
