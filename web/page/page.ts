/**
 * The state that the panes share, and the life of a trace on the page: it is opened, cancelled, replaced and returned
 * to. Joins the engine, the view and the URL; renders nothing.
 */
import { foreignOrigin } from '../base/foreignOrigin';
import { plural } from '../base/format';
import { derived, type Observable, observable } from '../base/observable';
import { type Ns, ns } from '../base/units';
import { EngineClient } from '../engine/client';
import type { EngineEvent, EventRow, Finding, IndexSpec, Metadata, Summary } from '../engine/protocol';
import { FIRST_TRACE, type TraceId } from '../engine/protocolTracks';
import { naturalTab } from '../state/details';
import type { EventPlace } from '../state/events';
import { connectHistory, type ViewHistory } from '../state/history';
import { createHoverStore, type HoverStore, noHover } from '../state/hover';
import { createStore, type Store } from '../state/store';
import type { Theme } from '../state/theme';
import { keptTopology } from '../state/topology';
import {
  clockOf,
  limitsOf,
  loading,
  metadataOf,
  noSession,
  type Origin,
  type Session,
  sessionAfter,
} from '../state/traces';
import { connectUndo, type Undo } from '../state/undo';
import { decodeFragment, encodeFragment, linkToView } from '../state/url/codec';
import type { Link } from '../state/url/link';
import { indexSpec, initialView, type ViewState } from '../state/viewState';
import { announceRuns } from './announceRuns';
import { TracesBeside } from './beside';
import { CallNames } from './calls/callNames';
import { ProfileOwner } from './calls/profile';
import { firstOffset } from './compare/align';
import { isView, originOf, originOfFile, SAMPLE, tracesInQuery } from './origins';
import { SelectedRunOwner } from './selectedRun';
import { Machine } from './topology/machine';
import { type Traces, tracesOf, withSession } from './traceList';
import { eventCount, NOT_LOADED, restartInWords, sentence } from './words';

/** The part of `window` that is used. */
export type PageWindow = Pick<Window, 'location' | 'history' | 'addEventListener'> &
  Partial<Pick<Window, 'localStorage'>>;

/** What remains to be done once the trace is open. */
interface Opening {
  readonly link: Link | null;
  /** What happens to the history: `replace` for an address that was given, `push` for what was opened in its place. */
  readonly entry: 'replace' | 'push' | 'keep';
}

export class Page {
  readonly store: Store = createStore();
  readonly hover: HoverStore = createHoverStore();
  /** The first trace is the one that the panes and the view are about. */
  readonly traces: Observable<Traces>;
  /** The session of the first trace. */
  readonly session: Pick<Observable<Session>, 'get' | 'subscribe'>;
  /** Warnings that stay until they are dismissed. */
  readonly notices: Observable<readonly string[]> = observable<readonly string[]>([]);
  /** The text that screen readers say and the status bar shows. */
  readonly announcement: Observable<string> = observable('');
  /** The current row of the list of events, while the list is open. */
  readonly eventRow: Observable<EventRow | null> = observable<EventRow | null>(null);
  /** The findings that are listed. */
  readonly findings: Observable<readonly Finding[]> = observable<readonly Finding[]>([]);
  /** The mark for which the list asks for a note; the list then resets it. */
  readonly noting: Observable<EventPlace | null> = observable<EventPlace | null>(null);
  /** The machine of the open trace. */
  readonly machine: Machine;
  /** What its system calls are called. */
  readonly callNames: CallNames;
  /** What another profiler says of system calls. */
  readonly profiles: ProfileOwner;
  /** What is known of the selected run. */
  readonly selected: SelectedRunOwner;
  readonly history: ViewHistory;
  readonly #beside: TracesBeside;
  /** Undo within the open trace. */
  readonly #undo: Undo;
  readonly #window: PageWindow;
  #opening: Opening = { link: null, entry: 'replace' };
  /** The last link whose trace has not come yet: it waits while others are opened in its place. */
  #unmet: Link | null = null;
  /** The files that open beside the first once that is open. */
  #next: readonly File[] = [];
  /** Grows with all that opens a trace or wants to; and the one of what was opened last: what wanted to before it comes too late. */
  #turns = 0;
  #latest = 0;
  /** The origins of traces that this page has opened, by fingerprint: going back in the history opens them again. */
  readonly #known = new Map<string, Origin>();
  /** Other servers than the page's that traces may be fetched from, by origin: the user has agreed, or named them. */
  readonly #allowed = new Set<string>();
  /** Whether the address is followed for the first time. */
  #isStart = true;
  #sentSpec = '';
  /** The last link with several traces, and the view that it gave: the link applies as long as that view is shown. */
  #linked: { readonly link: Link; readonly view: ViewState } | null = null;
  /** What is wrong with the link, and the notice that says so. */
  #linkProblems: readonly string[] = [];
  #linkNotice: string | null = null;

  constructor(
    readonly engine: EngineClient,
    readonly theme: Observable<Theme>,
    pageWindow: PageWindow,
    startEngine: () => EngineClient = () => new EngineClient(),
  ) {
    this.#window = pageWindow;
    this.traces = observable(tracesOf(engine));
    this.session = derived(this.traces, ([{ session }]) => session);
    // Subscribed before everything that draws, so that drawing finds the limits of the traces that it sees.
    this.traces.subscribe(() => this.#limit());
    this.history = connectHistory({
      store: this.store,
      history: pageWindow.history,
      urlOf: (view) => this.#urlOf(view),
    });
    this.#undo = connectUndo(this.store);
    this.selected = new SelectedRunOwner({ engine, store: this.store });
    announceRuns(this);
    this.session.subscribe(() => {
      if (this.session.get().kind !== 'open') {
        this.#undo.pause();
      }
    });
    this.machine = new Machine({ engine, store: this.store, warn: (problem) => this.#warn([problem]) });
    this.callNames = new CallNames({ engine, store: this.store });
    this.profiles = new ProfileOwner((problem) => this.#warn([problem]));
    this.#beside = new TracesBeside({
      traces: this.traces,
      startEngine,
      opened: (id, linked) => this.#besideOpened(id, linked),
      failed: () => {
        this.#linked = null;
      },
      warn: (problem) => this.#warn([problem]),
      settled: (problem) => this.dismiss(problem),
    });
    engine.on((event) => this.#receive(event));
    this.store.subscribe(() => this.#tellEngine());
    pageWindow.addEventListener('popstate', () => {
      this.#undo.flush();
      this.history.moved();
      this.#follow();
    });
  }

  /** Opens the trace that the URL asks for; the sample when it asks for none. */
  start(): void {
    this.#follow();
  }

  /** Fetches what the link names from the servers that the user was asked about. */
  allowHosts(): void {
    const session = this.session.get();
    if (session.kind !== 'asking') return;
    for (const host of session.hosts) this.#allowed.add(host);
    this.#follow();
  }

  /** Opens nothing from the servers that the user was asked about. */
  refuseHosts(): void {
    this.#empty(noSession);
    this.announce('Nothing was fetched.');
  }

  openFile(file: File): void {
    // If a link waits for its file, it is applied to this one, or a notice says that it belongs to another.
    const session = this.session.get();
    const waiting = session.kind === 'empty' && session.wanted ? this.#decode() : null;
    this.#open(originOfFile(file), waiting, waiting ? 'replace' : 'push');
  }

  openSample(): void {
    this.reopen(SAMPLE);
  }

  /** Opens a trace that failed once more, with the view that the URL still has. */
  retry(origin: Origin): void {
    this.notices.set([]);
    this.#open(origin, this.#decode(), 'replace');
  }

  /** Opens a trace in place of the open one. */
  reopen(origin: Origin): void {
    this.notices.set([]);
    this.#open(origin, null, 'push');
  }

  /**
   * Opens the first trace, and the others beside it; of a file with a view, the view, which asks for its trace. Texts of another
   * profiler stay beside the open trace.
   */
  async openFiles(files: readonly File[]): Promise<void> {
    const saved = files.find(isView);
    const turn = ++this.#turns;
    const isWanted = (): boolean => this.#latest < turn;
    this.notices.set([]);
    const traces = files.filter((other) => other !== saved);
    const [file, ...others] = await this.#traces(traces, isWanted);
    const isAtView = saved !== undefined && isWanted() && (await this.#goToView(saved, isWanted));
    if (!isWanted()) return;
    if (isAtView) {
      if (file) this.#open(originOfFile(file), this.#decode(), 'replace');
      else this.#follow();
    } else if (file) {
      this.openFile(file);
    }
    if (file) this.#next = others;
    // What was dropped since then comes after it.
    if (file || isAtView) this.#latest = turn;
  }

  /** Puts the view that a file holds into the address; false, with a warning, if it holds none, or if it is not wanted any more. */
  async #goToView(file: File, isWanted: () => boolean): Promise<boolean> {
    const module = await import('./views/viewFile').catch(() => null);
    const found = await module?.readViewFile(file, (fragment) => decodeFragment(fragment).link !== null);
    if (!isWanted()) return false;
    if (found === undefined || 'problem' in found) {
      this.#warn([found ? `${file.name} is no view that Corelane has saved: ${found.problem}.` : NOT_LOADED]);
      return false;
    }
    this.settle();
    const search = new URLSearchParams(this.#window.location.search);
    // The trace that the address names may be another one.
    search.delete('trace');
    const path = `${this.#window.location.pathname}${search.size > 0 ? `?${search}` : ''}`;
    this.#window.history.pushState(null, '', path + found.fragment);
    this.history.moved();
    return true;
  }

  /** Opens files beside the open trace, to compare them; where none is open, the first in its place. A view is always gone to. */
  async compareFiles(files: readonly File[]): Promise<void> {
    if (files.some(isView) || this.session.get().kind !== 'open') {
      await this.openFiles(files);
      return;
    }
    const turn = ++this.#turns;
    const { session } = this.engine;
    // They are to be compared with this trace, and with no other.
    const isWanted = (): boolean => session === this.engine.session;
    const traces = await this.#traces(files, isWanted);
    if (traces.length === 0 || !isWanted()) return;
    this.#openAllBeside(traces);
    this.#latest = Math.max(this.#latest, turn);
  }

  #openAllBeside(files: readonly File[]): void {
    for (const file of files) {
      this.openBeside(originOfFile(file));
    }
  }

  /** Takes texts of another profiler out of some files, and shows them as long as that `isWanted`. */
  async #traces(files: readonly File[], isWanted: () => boolean): Promise<readonly File[]> {
    const { shown, others } = await this.profiles.take(files);
    if (shown !== null && isWanted()) {
      const { kind } = this.session.get();
      if (kind === 'open') {
        this.store.dispatch({ type: 'tab', tab: 'syscalls' });
      } else if (kind === 'failed') {
        // It is shown where the error was.
        this.#empty(noSession);
      }
      this.announce(`${shown.name} is open: ${plural(shown.text.threads.length, 'thread')} in system calls.`);
    }
    return others;
  }

  /** Opens a trace beside the open one; null where that is not possible. */
  openBeside(origin: Origin): TraceId | null {
    if (this.session.get().kind !== 'open') {
      return null;
    }
    this.#agree(origin);
    this.announce(`Opening ${origin.name} beside this trace.`);
    return this.#beside.open(origin, ns(0));
  }

  /** Moves a trace beside the first along the time axis. */
  moveBeside(id: TraceId, offset: Ns): void {
    this.#linked = null;
    this.#beside.move(id, offset);
    this.history.push();
  }

  closeBeside(id: TraceId): void {
    this.#linked = null;
    const view = this.store.getState();
    if (view.tab === 'compare' && this.traces.get().length === 2) {
      // Before the trace is gone, so that going back in the history finds it.
      this.store.dispatch({ type: 'tab', tab: naturalTab(view) });
      this.history.flush();
    }
    this.#beside.close(id);
    this.history.push();
  }

  /** Ends an opening. If it was to replace a trace, that one is opened again. */
  cancel(): void {
    const replaced = this.#replaced();
    if (replaced) {
      this.goBack(replaced);
      this.announce(`Loading was cancelled. Opening ${replaced.name} again.`);
      return;
    }
    this.#empty(noSession);
    this.announce('Loading was cancelled.');
  }

  /** Opens an earlier trace again: with its view, if the address still has that. */
  goBack(origin: Origin): void {
    this.notices.set([]);
    const isReplaced = origin === this.#replaced();
    this.#open(origin, isReplaced ? this.#decode() : null, isReplaced ? 'replace' : 'push');
  }

  /** The trace that was open before an opening that has not come to its end: the address is still that of its view. */
  #replaced(): Origin | null {
    const fingerprint = decodeFragment(this.#window.location.hash).link?.trace?.fingerprint;
    const origin = fingerprint === undefined ? undefined : this.#known.get(fingerprint);
    const session = this.session.get();
    return origin === undefined || (session.kind !== 'empty' && session.origin === origin) ? null : origin;
  }

  /** The trace that was open last, other than the present one. */
  previous(): Origin | null {
    const session = this.session.get();
    const origins = [...this.#known.values()].filter((origin) => session.kind === 'empty' || origin !== session.origin);
    return origins.at(-1) ?? null;
  }

  /** Goes back to the view before the last step, never to another trace. */
  undo(): void {
    if (!this.#undo.undo()) {
      this.announce('There is nothing to undo.');
    }
  }

  redo(): void {
    if (!this.#undo.redo()) {
      this.announce('There is nothing to redo.');
    }
  }

  /** Writes the view into the URL and makes it a step to undo, without waiting until it rests. */
  settle(): void {
    this.#undo.flush();
    this.history.flush();
  }

  announce(text: string): void {
    // Screen readers and the status bar get plain text: without the backticks of code.
    this.announcement.set(text.replaceAll('`', ''));
  }

  dismiss(notice: string): void {
    this.notices.set(this.notices.get().filter((other) => other !== notice));
    if (this.#beside.dismissed(notice)) this.history.replace();
  }

  /** The complete address of the present view. */
  link(): string {
    this.history.flush();
    return this.#window.location.href;
  }

  /** Opens what the address names; the sample if it names nothing when the page starts. */
  #follow(): void {
    this.notices.set([]);
    const queries = new URLSearchParams(this.#window.location.search).getAll('trace');
    const asked = queries[0] ?? null;
    const hosts = this.#hostsToAsk(queries);
    if (hosts.length > 0) {
      const first = queries.find((query) => this.#hostsToAsk([query]).length > 0) ?? '';
      this.#empty({ kind: 'asking', origin: originOf(first), hosts });
      this.announce(`This link fetches a trace from ${hosts.join(', ')}. Nothing is fetched unless you agree.`);
      return;
    }
    const isStart = this.#isStart;
    this.#isStart = false;
    const link = this.#decode();
    const session = this.session.get();
    const metadata = metadataOf(session);
    const entry = isStart ? 'replace' : 'keep';
    if (session.kind === 'open' && link && link.trace?.fingerprint === metadata?.fingerprint) {
      this.#apply(session.summary, link);
      return;
    }
    const known = link?.trace ? this.#known.get(link.trace.fingerprint) : undefined;
    if (known) {
      this.#open(known, link, entry);
    } else if (asked === '' && !link?.trace) {
      // `?trace=` opens nothing, not even the sample.
      this.#empty(noSession);
    } else if (asked !== null && asked !== '') {
      this.#open(originOf(asked), link, entry);
    } else if (link?.trace) {
      this.#empty({ kind: 'empty', wanted: link.trace });
    } else if (session.kind === 'open') {
      this.#beside.closeAll();
      const view = firstColours(session.summary, initialView);
      this.store.dispatch({ type: 'restore', view: firstView(session.summary, view) });
    } else if (isStart) {
      this.#open(SAMPLE, link, entry);
    }
  }

  /** The servers that some values of `?trace=` name, and that the user has not agreed to yet. */
  #hostsToAsk(queries: readonly string[]): readonly string[] {
    const hosts = queries.map((query) => foreignOrigin(query, this.#window.location.href));
    return [...new Set(hosts)].filter((host): host is string => host !== null && !this.#allowed.has(host));
  }

  /** The user has chosen this trace: going back to it in the history asks no more. */
  #agree({ source }: Origin): void {
    const host = source.kind === 'url' ? foreignOrigin(source.url, this.#window.location.href) : null;
    if (host !== null) this.#allowed.add(host);
  }

  #open(origin: Origin, link: Link | null, entry: Opening['entry']): void {
    this.#agree(origin);
    this.#isStart = false;
    this.history.flush();
    this.#latest = ++this.#turns;
    this.#next = [];
    this.#opening = { link, entry };
    if (link?.trace) this.#unmet = link;
    this.#sentSpec = '';
    this.#linked = null;
    this.#beside.closeAll();
    this.machine.forget();
    this.callNames.forget();
    this.hover.set(noHover);
    this.#become(loading(origin, this.engine.open(origin.source)));
    this.store.dispatch({ type: 'restore', view: initialView });
    this.announce(`Opening ${origin.name}.`);
  }

  /** Closes all traces, so that none is open. */
  #empty(session: Session): void {
    this.#beside.closeAll();
    this.engine.close();
    this.#become(session);
  }

  #become(session: Session): void {
    this.traces.set(withSession(this.traces.get(), FIRST_TRACE, session));
  }

  #limit(): void {
    const limits = limitsOf(this.traces.get());
    const before = this.store.getLimits();
    if (JSON.stringify(limits) !== JSON.stringify(before)) {
      this.store.setLimits(limits);
    }
  }

  #receive(event: EngineEvent): void {
    if (event.type === 'closed') {
      // This page closed it and knows what comes next.
      return;
    }
    this.#become(sessionAfter(this.session.get(), event));
    switch (event.type) {
      case 'metadata': {
        const wanted = this.#opening.link?.trace;
        if (this.#unmet?.trace?.fingerprint === event.metadata.fingerprint) {
          this.#opening = { ...this.#opening, link: this.#unmet };
          this.#unmet = null;
        } else if (wanted && wanted.fingerprint !== event.metadata.fingerprint) {
          this.#tellOfLink([
            `This is another trace: the view in the URL belongs to “${wanted.name}” (fingerprint ${wanted.fingerprint}), ` +
              `and this is “${event.metadata.name}” (${event.metadata.fingerprint}). The view is applied where it fits.`,
          ]);
        }
        if (this.#opening.link === null) {
          this.store.dispatch({ type: 'restore', view: firstColours(event.metadata, this.store.getState()) });
        }
        break;
      }
      case 'opened':
        this.#opened(event.summary);
        break;
      case 'failed':
        this.announce(`${sentence(event.error.what)} ${sentence(event.error.advice)}`);
        break;
      case 'restarted':
        this.#warn([restartInWords(event.what)]);
        break;
      case 'preview':
      case 'progress':
        break;
    }
  }

  #opened(summary: Summary): void {
    const session = this.session.get();
    if (session.kind !== 'open') {
      return;
    }
    this.#known.delete(summary.fingerprint);
    this.#known.set(summary.fingerprint, session.origin);
    if (this.#opening.link) {
      this.#apply(summary, this.#opening.link);
    } else {
      this.store.dispatch({ type: 'restore', view: firstView(summary, this.store.getState()) });
    }
    if (this.store.getState().topology.text === '') {
      // What the user gave for this trace goes before what its file says.
      const text = keptTopology(this.storage, summary.fingerprint) || (summary.topology ?? '');
      this.store.dispatch({ type: 'topology', change: { text } });
    }
    this.#tellEngine();
    switch (this.#opening.entry) {
      case 'push':
        this.history.push();
        break;
      case 'replace':
        this.history.replace();
        break;
      case 'keep':
        break;
    }
    this.#undo.begin(summary.fingerprint);
    const next = this.#next;
    this.#next = [];
    this.#openAllBeside(next);
    this.announce(`${summary.name} is open: ${plural(summary.cpus.length, 'CPU')}, ${eventCount(summary)}.`);
  }

  #apply(summary: Summary, link: Link): void {
    const { view, problems } = linkToView(link, clockOf(summary), this.store.getLimits(), summary.cpus);
    this.#tellOfLink(problems);
    this.store.dispatch({ type: 'restore', view });
    this.#linked = link.beside.length > 0 ? { link, view: this.store.getState() } : null;
    const queries = new URLSearchParams(this.#window.location.search).getAll('trace');
    this.#beside.follow(link.beside, ({ fingerprint }, place) => {
      const query = queries[place + 1];
      return this.#known.get(fingerprint) ?? (query ? originOf(query) : null);
    });
  }

  /** A trace beside the first was opened. */
  #besideOpened(id: TraceId, isLinked: boolean): void {
    const session = this.session.get();
    if (session.kind !== 'open') {
      return;
    }
    for (const trace of this.traces.get()) {
      if (trace.session.kind === 'open') {
        this.#known.set(trace.session.summary.fingerprint, trace.session.origin);
      }
    }
    const [, ...beside] = this.traces.get();
    const other = beside.find((trace) => trace.id === id)?.session;
    if (other?.kind === 'open') {
      if (!isLinked) {
        this.#beside.move(id, firstOffset(session.summary, other.summary));
        this.store.dispatch({ type: 'tab', tab: 'compare' });
      }
      this.announce(`${other.summary.name} is open beside ${session.summary.name}.`);
    }
    this.#beside.tell(indexSpec(this.store.getState()));
    const linked = this.#linked;
    if (linked && linked.view === this.store.getState()) {
      // The window of a link may reach to where only the other trace has data.
      this.#apply(session.summary, linked.link);
    }
    if (isLinked) {
      this.history.replace();
    } else {
      this.history.push();
    }
  }

  #decode(): Link | null {
    const { link, problems } = decodeFragment(this.#window.location.hash);
    this.#linkProblems = [];
    this.#linkNotice = null;
    this.#tellOfLink(problems);
    return link;
  }

  /** All problems of a link are told in one notice, which grows. */
  #tellOfLink(problems: readonly string[]): void {
    if (problems.length === 0) {
      return;
    }
    this.#linkProblems = [...new Set([...this.#linkProblems, ...problems])];
    if (this.#linkNotice !== null) {
      this.dismiss(this.#linkNotice);
    }
    this.#linkNotice = this.#linkProblems.join(' ');
    this.#warn([this.#linkNotice]);
  }

  #warn(texts: readonly string[]): void {
    if (texts.length > 0) {
      this.notices.set([...new Set([...this.notices.get(), ...texts])]);
      this.announce(texts.join(' '));
    }
  }

  /**
   * When they change, tells the engine which runs exist in this view, which stand out, what the machine is, and what calls are
   * called.
   */
  #tellEngine(): void {
    if (this.session.get().kind !== 'open') {
      return;
    }
    this.machine.follow();
    this.callNames.follow();
    const spec: IndexSpec = indexSpec(this.store.getState());
    const text = JSON.stringify(spec);
    if (text !== this.#sentSpec) {
      this.#sentSpec = text;
      this.#beside.tell(spec);
      void this.engine.query('view', { type: 'set_view', spec });
    }
  }

  /** Where small things are kept for the next visit; undefined where the browser has no such storage. */
  get storage(): Storage | undefined {
    return this.#window.localStorage;
  }

  #urlOf(view: ViewState): string | null {
    const session = this.session.get();
    if (session.kind !== 'open') {
      return null;
    }
    const { origin, summary } = session;
    const search = new URLSearchParams(this.#window.location.search);
    search.delete('trace');
    const traces = tracesInQuery([origin.query, ...this.#beside.queries()]);
    const query = [...traces, ...(search.size > 0 ? [`${search}`] : [])].join('&');
    const identity = { name: summary.name, fingerprint: summary.fingerprint };
    const path = `${this.#window.location.pathname}${query === '' ? '' : `?${query}`}`;
    return path + encodeFragment(view, identity, clockOf(summary), this.#beside.links());
  }
}

/** From this number of CPUs on, lanes are too thin for the colours of tasks and commands. */
const MANY_CPUS = 48;

/**
 * The view with which a trace is drawn first. Unless other colours were chosen, those of many CPUs show where tasks wait while CPUs
 * idle.
 */
const firstColours = ({ cpus }: Pick<Metadata, 'cpus'>, view: ViewState): ViewState =>
  cpus.length >= MANY_CPUS && view.colour === initialView.colour ? { ...view, colour: 'state' } : view;

/** The view with which a trace opens: without scheduling events, the list of events is open. */
const firstView = ({ sched_events: schedEvents }: Pick<Summary, 'sched_events'>, view: ViewState): ViewState =>
  schedEvents > 0 ? view : { ...view, events: { ...view.events, open: true } };
