/**
 * Traces that are open beside the first one. Each has its own engine, and its lanes stand below the first trace's. They
 * open and close with the first trace and with the links that name them.
 */
import type { Observable } from '../base/observable';
import type { Ns } from '../base/units';
import type { EngineClient } from '../engine/client';
import type { EngineEvent, IndexSpec } from '../engine/protocol';
import type { TraceId } from '../engine/protocolTracks';
import { loading, MAX_BESIDE, metadataOf, type Origin, sessionAfter } from '../state/traces';
import type { LinkedTrace } from '../state/url/link';
import { type Traces, withOffset, without, withSession, withTrace } from './traceList';
import { restartInWords } from './words';

interface BesideOptions {
  readonly traces: Observable<Traces>;
  readonly startEngine: () => EngineClient;
  /** A trace was opened; `linked`: because a link names it. */
  readonly opened: (id: TraceId, linked: boolean) => void;
  /** A trace could not be opened, or was lost. */
  readonly failed: () => void;
  readonly warn: (problem: string) => void;
  /** What was warned of is no longer so. */
  readonly settled: (problem: string) => void;
}

export class TracesBeside {
  readonly #options: BesideOptions;
  /** The fingerprints that a link gives for traces, by id: the URL has them before the traces are open. */
  readonly #meant = new Map<TraceId, string>();
  /** The traces of the last link that this page could not open: each keeps its place until its file is chosen. */
  #missing: readonly LinkedTrace[] = [];
  #nextId: TraceId = 1;

  constructor(options: BesideOptions) {
    this.#options = options;
  }

  /** Opens a trace beside those that are open; `meant`: the fingerprint that it should have. null: there is no room. */
  open(origin: Origin, offset: Ns, meant: string | null = null): TraceId | null {
    const { traces, startEngine, warn } = this.#options;
    if (traces.get().length > MAX_BESIDE) {
      warn(`At most ${MAX_BESIDE} traces can be open beside another.`);
      return null;
    }
    const id = this.#nextId++;
    if (meant !== null) this.#meant.set(id, meant);
    const engine = startEngine();
    engine.on((event) => this.#receive(id, event));
    const session = loading(origin, engine.open(origin.source));
    traces.set(withTrace(traces.get(), { id, engine, offset, session }));
    return id;
  }

  /** Ends a trace's engine and frees all that it holds. */
  close(id: TraceId): void {
    const { traces } = this.#options;
    const trace = traces.get().find((other, place) => place > 0 && other.id === id);
    if (!trace) return;
    traces.set(without(traces.get(), id));
    this.#meant.delete(id);
    trace.engine.close();
  }

  /** Moves a trace along the axis. */
  move(id: TraceId, offset: Ns): void {
    const { traces } = this.#options;
    traces.set(withOffset(traces.get(), id, offset));
  }

  closeAll(): void {
    this.#missing = [];
    for (const { id } of this.#options.traces.get().slice(1)) this.close(id);
  }

  /**
   * The traces as a URL names them, without those of which nothing is known yet; with those whose files are still to be
   * chosen, or a URL would lose them that is copied or loaded again before.
   */
  links(): readonly LinkedTrace[] {
    return [...this.#shown().map(({ link }) => link), ...this.#missing].slice(0, MAX_BESIDE);
  }

  /** The values of `?trace=` for these traces, in the order of `links`; null for files. */
  queries(): readonly (string | null)[] {
    return this.#shown().map(({ query }) => query);
  }

  /**
   * Opens the traces that a link names and closes the others. `find`: the origin of a trace, by its place in the link.
   */
  follow(wanted: readonly LinkedTrace[], find: (link: LinkedTrace, place: number) => Origin | null): void {
    const isSame = (a: LinkedTrace, b: LinkedTrace): boolean =>
      a.fingerprint === b.fingerprint && a.offset === b.offset;
    for (const { id, link } of this.#shown()) {
      if (!wanted.some((other) => isSame(other, link))) this.close(id);
    }
    const there = this.#shown().map(({ link }) => link);
    const missing: LinkedTrace[] = [];
    for (const [place, link] of wanted.entries()) {
      if (there.some((other) => isSame(other, link))) continue;
      const origin = find(link, place);
      if (origin) this.open(origin, link.offset, link.fingerprint);
      else {
        missing.push(link);
        this.#options.warn(missingInWords(link));
      }
    }
    this.#missing = missing;
  }

  /** A warning was put away: a trace that it says is missing is no longer meant. Whether there was such a trace. */
  dismissed(problem: string): boolean {
    const meant = this.#missing;
    this.#missing = meant.filter((link) => missingInWords(link) !== problem);
    return this.#missing.length < meant.length;
  }

  /** Tells their engines which runs exist in the view, and which stand out. */
  tell(spec: IndexSpec): void {
    for (const { engine, session } of this.#options.traces.get().slice(1)) {
      if (session.kind === 'open') void engine.query('view', { type: 'set_view', spec });
    }
  }

  #shown(): readonly { readonly id: TraceId; readonly link: LinkedTrace; readonly query: string | null }[] {
    return this.#options.traces
      .get()
      .slice(1)
      .flatMap(({ id, offset, session }) => {
        const fingerprint = metadataOf(session)?.fingerprint ?? this.#meant.get(id);
        if (fingerprint === undefined || session.kind === 'empty') return [];
        return [{ id, link: { fingerprint, offset }, query: session.origin.query }];
      });
  }

  #receive(id: TraceId, event: EngineEvent): void {
    const { traces, opened, failed, warn } = this.#options;
    const trace = traces.get().find((other) => other.id === id);
    if (!trace || event.type === 'closed') return;
    if (event.type === 'restarted') warn(restartInWords(event.what));
    const session = sessionAfter(trace.session, event);
    if (session.kind === 'failed') {
      warn(`${session.origin.name} could not be opened beside this trace: ${session.error.what}.`);
      this.close(id);
      failed();
      return;
    }
    traces.set(withSession(traces.get(), id, session));
    if (event.type === 'metadata' && !this.#meant.has(id)) this.#find(id, event.metadata.fingerprint);
    const meant = this.#meant.get(id);
    if (event.type === 'metadata' && meant !== undefined && meant !== event.metadata.fingerprint) {
      warn(
        `Beside this trace the URL means the one with fingerprint ${meant}, and “${event.metadata.name}” is another.`,
      );
    }
    if (event.type === 'opened') opened(id, meant !== undefined);
  }

  /** A file that was chosen may be one that the link means: then it belongs where the link has it. */
  #find(id: TraceId, fingerprint: string): void {
    const link = this.#missing.find((other) => other.fingerprint === fingerprint);
    if (!link) return;
    this.#missing = this.#missing.filter((other) => other !== link);
    this.#meant.set(id, fingerprint);
    this.move(id, link.offset);
    this.#options.settled(missingInWords(link));
  }
}

const missingInWords = ({ fingerprint }: LinkedTrace): string =>
  `The trace that was open beside this one (fingerprint ${fingerprint}) is a file, which this page cannot open by itself.`;
