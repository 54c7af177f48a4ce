import { beforeEach, describe, expect, it } from 'vitest';
import { observable } from '../base/observable';
import { ns } from '../base/units';
import { EngineClient, type EngineWorker } from '../engine/client';
import type { EngineMessage, EngineRequest, Summary, TraceSource } from '../engine/protocol';
import type { Origin } from '../state/traces';
import { Page, type PageWindow } from './page';
import { viewFileText } from './views/viewFile';

/** A browser window with a history, as far as the page needs one. */
class FakeWindow {
  readonly entries: { state: unknown; url: URL }[];
  index = 0;
  readonly #popstate: (() => void)[] = [];

  constructor(url: string) {
    this.entries = [{ state: null, url: new URL(url, 'http://host/') }];
  }

  get location(): URL {
    return this.entries[this.index]?.url ?? new URL('http://host/');
  }

  get history() {
    const { entries } = this;
    const resolve = (url?: string | URL | null): URL => new URL(`${url}`, this.location);
    return {
      state: entries[this.index]?.state,
      pushState: (state: unknown, _title: string, url?: string | URL | null): void => {
        entries.splice(this.index + 1, entries.length, { state, url: resolve(url) });
        this.index += 1;
      },
      replaceState: (state: unknown, _title: string, url?: string | URL | null): void => {
        entries[this.index] = { state, url: resolve(url) };
      },
    };
  }

  addEventListener(_type: 'popstate', listener: () => void): void {
    this.#popstate.push(listener);
  }

  go(by: number): void {
    this.index += by;
    for (const listener of this.#popstate) {
      listener();
    }
  }
}

const summaryOf = (name: string, fingerprint: string, schedEvents: number): Summary => ({
  restored: false,
  name,
  size: 1000,
  fingerprint,
  cpus: [0, 1],
  base_ns: '1000000000000',
  clock_is_ns: true,
  clock: 'local',
  format: 'trace.dat',
  version: 7,
  has_text: true,
  writer: null,
  cannot_tell: [],
  topology: null,
  uname: null,
  span: ns(1e9),
  records: 10,
  sched_events: schedEvents,
  missing_events: [],
  lost_events: 0,
  lost_gaps: 0,
  after_sleep: null,
  damage: null,
  diagnostics: [],
  tasks: { pid: new Int32Array(0), comm: new Uint32Array(0), prio: new Int16Array(0), forked: new Uint8Array(0) },
  comms: [],
});

function openPage(url: string) {
  const requests: EngineRequest[] = [];
  let worker: EngineWorker | null = null;
  const engine = new EngineClient(() => {
    worker = {
      onmessage: null,
      onerror: null,
      onmessageerror: null,
      postMessage: (request) => requests.push(request),
      terminate: () => {},
    };
    return worker;
  });
  /** The engines of traces beside the first, in the order in which they were started. */
  const others: { engine: EngineClient; worker: EngineWorker; source: TraceSource | null; ended: boolean }[] = [];
  const startOther = (): EngineClient => {
    const other = new EngineClient(() => {
      const started: EngineWorker = {
        onmessage: null,
        onerror: null,
        onmessageerror: null,
        postMessage: (request) => {
          if (request.type === 'open') kept.source = request.source;
        },
        terminate: () => {
          kept.ended = true;
        },
      };
      const kept: (typeof others)[number] = { engine: other, worker: started, source: null, ended: false };
      others.push(kept);
      return started;
    });
    return other;
  };
  const browser = new FakeWindow(url);
  const page = new Page(engine, observable<'light' | 'dark'>('light'), browser as unknown as PageWindow, startOther);
  const say = (message: EngineMessage): void => worker?.onmessage?.({ data: message } as MessageEvent<EngineMessage>);
  return {
    page,
    browser,
    engine,
    others,
    answerOther(place: number, name: string, fingerprint: string, span = 1e9) {
      const other = others[place];
      if (!other) throw new Error(`no engine ${place}`);
      const summary = { ...summaryOf(name, fingerprint, 10), span: ns(span) };
      const { session } = other.engine;
      const tell = (data: EngineMessage): void => other.worker.onmessage?.({ data } as MessageEvent<EngineMessage>);
      tell({ type: 'metadata', session, metadata: summary });
      tell({ type: 'opened', session, summary });
    },
    failOther(place: number) {
      const other = others[place];
      if (!other) throw new Error(`no engine ${place}`);
      const error = { kind: 'not_a_trace', what: 'no magic', where: 'at 0', advice: 'open another' } as const;
      const data: EngineMessage = { type: 'failed', session: other.engine.session, error };
      other.worker.onmessage?.({ data } as MessageEvent<EngineMessage>);
    },
    sources: () => requests.flatMap((request) => (request.type === 'open' ? [request.source] : [])),
    specs: () =>
      requests.flatMap((request) =>
        request.type === 'query' && request.query.type === 'set_view' ? [request.query.spec] : [],
      ),
    /** `meanwhile`: what happens between the metadata and the rest. */
    answerOpen(name: string, fingerprint: string, schedEvents = 10, cpus = [0, 1], meanwhile = () => {}) {
      const summary = { ...summaryOf(name, fingerprint, schedEvents), cpus };
      say({ type: 'metadata', session: engine.session, metadata: summary });
      meanwhile();
      say({ type: 'opened', session: engine.session, summary });
    },
    answerFailed() {
      const error = { kind: 'not_a_trace', what: 'no magic', where: 'at 0', advice: 'open another' } as const;
      say({ type: 'failed', session: engine.session, error });
    },
  };
}

const file = (name: string): File => new File(['x'], name);

describe('a page', () => {
  let opened: ReturnType<typeof openPage>;
  beforeEach(() => {
    opened = openPage('/app/');
  });

  it('opens the sample when it is asked for nothing, and says so in its URL', () => {
    opened.page.start();
    expect(opened.sources()).toEqual([{ kind: 'url', url: 'sample.dat' }]);
    opened.answerOpen('sample.dat', 'aa');
    expect(opened.browser.location.search).toBe('?trace=sample');
    expect(opened.browser.location.hash).toBe('#v=1&trace=sample.dat&fp=aa');
    expect(opened.browser.entries).toHaveLength(1);
  });

  it('replaces a trace by another, and goes back to it', () => {
    opened.page.start();
    opened.answerOpen('sample.dat', 'aa');
    opened.page.store.dispatch({ type: 'colour', colour: 'command' });
    opened.page.openFile(file('mine.dat'));
    opened.answerOpen('mine.dat', 'bb');
    expect(opened.browser.location.href).toBe('http://host/app/#v=1&trace=mine.dat&fp=bb');
    expect(opened.page.store.getState().colour).toBe('pid');
    opened.browser.go(-1);
    expect(opened.sources().at(-1)).toEqual({ kind: 'url', url: 'sample.dat' });
    opened.answerOpen('sample.dat', 'aa');
    expect(opened.page.store.getState().colour).toBe('command');
    expect(opened.browser.entries).toHaveLength(3);
    opened.browser.go(1);
    expect(opened.sources().at(-1)).toMatchObject({ kind: 'file' });
  });

  it('undoes within a trace, and never goes to another one', () => {
    const { page, browser } = opened;
    const zoom = (): void => {
      page.store.dispatch({ type: 'zoom', at: ns(0), factor: 0.5 });
      page.settle();
    };
    const windowEnd = (): number | undefined => page.store.getState().window?.end;
    page.start();
    opened.answerOpen('sample.dat', 'aa');
    zoom();
    page.openFile(file('mine.dat'));
    page.undo();
    expect(page.session.get().kind).toBe('loading');
    opened.answerOpen('mine.dat', 'bb');
    zoom();
    zoom();
    const asked = opened.sources().length;
    const entries = browser.entries.length;
    page.undo();
    expect(windowEnd()).toBe(5e8);
    page.undo();
    expect(windowEnd()).toBeUndefined();
    page.undo();
    expect(windowEnd()).toBeUndefined();
    expect(page.announcement.get()).toBe('There is nothing to undo.');
    page.redo();
    page.redo();
    expect(windowEnd()).toBe(2.5e8);
    page.redo();
    expect(page.announcement.get()).toBe('There is nothing to redo.');
    page.settle();
    expect(browser.location.hash).toBe('#v=1&trace=mine.dat&fp=bb&window=1000.000000000-1000.250000000');
    expect([opened.sources().length, browser.entries.length]).toEqual([asked, entries]);
  });

  it('takes the browser’s back and forward as steps of the view', () => {
    const { page, browser } = opened;
    page.start();
    opened.answerOpen('sample.dat', 'aa');
    page.store.dispatch({ type: 'colour', colour: 'command' });
    page.settle();
    browser.go(-1);
    page.settle();
    expect(page.store.getState().colour).toBe('pid');
    page.undo();
    expect(page.store.getState().colour).toBe('command');
    page.undo();
    expect(page.store.getState().colour).toBe('pid');
  });

  it('undoes that the same trace was opened again, and nothing after another one', () => {
    const { page } = opened;
    const highlighted = (): readonly string[] => page.store.getState().highlighted;
    page.openFile(file('mine.dat'));
    opened.answerOpen('mine.dat', 'bb');
    page.store.dispatch({ type: 'toggleHighlight', comm: 'make' });
    page.openFile(file('mine.dat'));
    opened.answerOpen('mine.dat', 'bb');
    expect(highlighted()).toEqual([]);
    page.undo();
    expect(highlighted()).toEqual(['make']);
    page.openFile(file('other.dat'));
    opened.answerOpen('other.dat', 'cc');
    page.openFile(file('mine.dat'));
    opened.answerOpen('mine.dat', 'bb');
    page.undo();
    expect(highlighted()).toEqual([]);
  });

  it('goes back to the empty page that it began with, and from there to the trace', () => {
    const began = openPage('/?trace=');
    const { page, browser } = began;
    page.start();
    page.openFile(file('mine.dat'));
    began.answerOpen('mine.dat', 'bb');
    page.store.dispatch({ type: 'zoom', at: ns(0), factor: 0.5 });
    browser.go(-1);
    expect(page.session.get()).toEqual({ kind: 'empty', wanted: null });
    page.undo();
    expect(page.session.get()).toEqual({ kind: 'empty', wanted: null });
    browser.go(1);
    expect(began.sources()).toHaveLength(2);
  });

  it('goes on after a file that is not a trace', () => {
    opened.page.start();
    opened.answerOpen('sample.dat', 'aa');
    opened.page.openFile(file('notes.txt'));
    opened.answerFailed();
    expect(opened.page.session.get()).toMatchObject({ kind: 'failed', error: { kind: 'not_a_trace' } });
    const previous = opened.page.previous();
    expect(previous?.name).toBe('sample.dat');
    opened.page.openFile(file('mine.dat'));
    opened.answerOpen('mine.dat', 'bb');
    expect(opened.page.session.get().kind).toBe('open');
  });

  describe('an opening that replaces a trace', () => {
    const zoomed = (): unknown => {
      opened.page.start();
      opened.answerOpen('sample.dat', 'aa');
      opened.page.store.dispatch({ type: 'zoom', at: ns(0), factor: 0.5 });
      opened.page.settle();
      return opened.page.store.getState().window;
    };

    it('leaves the view of that trace behind when it fails', () => {
      const window = zoomed();
      opened.page.openFile(file('notes.txt'));
      opened.answerFailed();
      const previous = opened.page.previous();
      if (previous) opened.page.goBack(previous);
      opened.answerOpen('sample.dat', 'aa');
      expect(opened.page.store.getState().window).toEqual(window);
    });

    it('opens that trace again, with its view, when it is cancelled', () => {
      const window = zoomed();
      const { length } = opened.browser.entries;
      opened.page.openFile(file('large.dat'));
      opened.page.cancel();
      expect(opened.page.session.get()).toMatchObject({ kind: 'loading', origin: { name: 'sample.dat' } });
      opened.answerOpen('sample.dat', 'aa');
      expect(opened.page.store.getState().window).toEqual(window);
      expect(opened.browser.entries).toHaveLength(length);
      // What opens again can be cancelled as well.
      opened.page.openFile(file('large.dat'));
      opened.page.cancel();
      opened.page.cancel();
      expect(opened.page.session.get().kind).toBe('empty');
    });
  });

  it('opens the list of events of a trace that has no others to show, unless a link knows better', () => {
    opened.page.openFile(file('block.dat'));
    opened.answerOpen('block.dat', 'cc', 0);
    expect(opened.page.store.getState().events.open).toBe(true);
    expect(opened.browser.location.hash).toBe('#v=1&trace=block.dat&fp=cc&events=open');
    opened.page.store.dispatch({ type: 'events', change: { open: false } });
    opened.page.openFile(file('mine.dat'));
    opened.answerOpen('mine.dat', 'bb');
    expect(opened.page.store.getState().events.open).toBe(false);
    opened.browser.go(-1);
    opened.answerOpen('block.dat', 'cc', 0);
    expect(opened.page.store.getState().events.open).toBe(false);
    opened.browser.go(-1);
    expect(opened.page.store.getState().events.open).toBe(true);
  });

  it('colours many CPUs by state from the first picture on, unless something else was chosen', () => {
    const { store } = opened.page;
    const many = Array.from({ length: 64 }, (_, cpu) => cpu);
    const colour = () => store.getState().colour;
    const seen: string[] = [];
    opened.page.openFile(file('many.dat'));
    opened.answerOpen('many.dat', 'dd', 10, many, () => seen.push(colour()));
    expect([...seen, colour()]).toEqual(['state', 'state']);
    opened.page.openFile(file('few.dat'));
    opened.answerOpen('few.dat', 'ee', 10, [0, 1], () => seen.push(colour()));
    expect([...seen.slice(1), colour()]).toEqual(['pid', 'pid']);
    opened.page.openFile(file('more.dat'));
    opened.answerOpen('more.dat', 'ff', 10, many, () => store.dispatch({ type: 'colour', colour: 'load' }));
    expect(colour()).toBe('load');
    opened.page.openFile(file('most.dat'));
    store.dispatch({ type: 'colour', colour: 'state' });
    opened.answerOpen('most.dat', 'ab', 10, many);
    expect(colour()).toBe('state');
  });

  it('tells the engine once about each change of what exists and what stands out', () => {
    opened.page.start();
    opened.answerOpen('sample.dat', 'aa');
    opened.page.store.dispatch({ type: 'forked', on: true });
    opened.page.store.dispatch({ type: 'colour', colour: 'command' });
    opened.page.store.dispatch({ type: 'toggleHighlight', comm: 'x' });
    expect(opened.specs()).toEqual([
      { forked: false, movable: false, highlight: { kind: 'none' } },
      { forked: true, movable: false, highlight: { kind: 'none' } },
      { forked: true, movable: false, highlight: { kind: 'comms', comms: ['x'] } },
    ]);
  });
});

describe('a link', () => {
  const view = '#v=1&trace=mine.dat&fp=bb&window=1000.100000000-1000.200000000&colour=command';

  it('to a file asks for that file, and shows the view when it comes', () => {
    const opened = openPage(`/${view}`);
    opened.page.start();
    expect(opened.sources()).toEqual([]);
    expect(opened.page.session.get()).toEqual({ kind: 'empty', wanted: { name: 'mine.dat', fingerprint: 'bb' } });
    opened.page.openFile(file('renamed.dat'));
    opened.answerOpen('renamed.dat', 'bb');
    expect(opened.page.notices.get()).toEqual([]);
    expect(opened.page.store.getState()).toMatchObject({ window: { start: 1e8, end: 2e8 }, colour: 'command' });
    expect(opened.browser.entries).toHaveLength(1);
  });

  it('names a wrong file, and applies where it fits', () => {
    const opened = openPage(`/${view}`);
    opened.page.start();
    opened.page.openFile(file('other.dat'));
    opened.answerOpen('other.dat', 'cc');
    expect(opened.page.notices.get()[0]).toMatch(/mine\.dat.*bb.*other\.dat.*cc/);
    expect(opened.page.store.getState().colour).toBe('command');
  });

  it('keeps its view for its own file, whatever was opened before', async () => {
    const opened = openPage(`/${view}`);
    const { page } = opened;
    page.start();
    await page.openFiles([file('notes.txt')]);
    opened.answerFailed();
    await page.openFiles([file('other.dat')]);
    opened.answerOpen('other.dat', 'cc');
    page.store.dispatch({ type: 'colour', colour: 'state' });
    await page.openFiles([file('mine.dat')]);
    opened.answerOpen('mine.dat', 'bb');
    expect(page.store.getState()).toMatchObject({ window: { start: 1e8, end: 2e8 }, colour: 'command' });
    expect(page.notices.get()).toEqual([]);
    expect(opened.browser.location.hash).toBe(view);
    // Once it was shown, the file opens as any other.
    await page.openFiles([file('mine.dat')]);
    opened.answerOpen('mine.dat', 'bb');
    expect(page.store.getState().colour).toBe('pid');
  });

  it('to a trace on the web opens it by itself', () => {
    const opened = openPage(`/?trace=traces/mine.dat${view}`);
    opened.page.start();
    expect(opened.sources()).toEqual([{ kind: 'url', url: 'traces/mine.dat' }]);
    opened.answerOpen('mine.dat', 'bb');
    expect(opened.page.store.getState().window).toEqual({ start: 1e8, end: 2e8 });
    expect(opened.browser.location.search).toBe('?trace=traces/mine.dat');
  });

  it('to another server asks first, fetches nothing before, and asks once', () => {
    const { page, browser, sources, answerOpen } = openPage('/?trace=https://traces.example/a.dat#v=1&colour=command');
    page.start();
    expect(page.session.get()).toMatchObject({ kind: 'asking', hosts: ['https://traces.example'] });
    expect(sources()).toEqual([]);
    page.allowHosts();
    expect(sources()).toEqual([{ kind: 'url', url: 'https://traces.example/a.dat' }]);
    answerOpen('a.dat', 'aa');
    expect(page.store.getState().colour).toBe('command');
    page.openSample();
    answerOpen('sample.dat', 'ee');
    browser.go(-1);
    expect(page.session.get()).toMatchObject({ kind: 'loading', origin: { name: 'a.dat' } });
  });

  it('to another server opens nothing when the user refuses', () => {
    const { page, sources } = openPage('/?trace=//traces.example/a.dat');
    page.start();
    page.refuseHosts();
    expect(page.session.get()).toMatchObject({ kind: 'empty', wanted: null });
    expect(sources()).toEqual([]);
  });

  it('asks about all servers at once, also of traces beside the first', () => {
    const link = '/?trace=sample&trace=https://a.example/1.dat&trace=https://b.example/2.dat';
    const { page, sources } = openPage(link);
    page.start();
    expect(page.session.get()).toMatchObject({ kind: 'asking', hosts: ['https://a.example', 'https://b.example'] });
    expect(sources()).toEqual([]);
  });

  it('to the page’s own server does not ask', () => {
    for (const own of ['traces/a.dat', '/a.dat', 'http://host/a.dat']) {
      const { page } = openPage(`/?trace=${own}`);
      page.start();
      expect(page.session.get().kind, own).toBe('loading');
    }
  });

  it('of another version opens the sample, and is reported', () => {
    const opened = openPage('/#v=9&colour=command');
    opened.page.start();
    expect(opened.sources()).toHaveLength(1);
    expect(opened.page.notices.get()[0]).toContain('version 9');
  });
});

describe('a view in a file', () => {
  const fragment = '#v=1&trace=mine.dat&fp=bb&colour=command&mark=1@1000.500000000:late';
  const saved = (text = viewFileText('mine.dat', fragment)): File => new File([text], 'x.corelane');
  const note = (page: Page): string | undefined => page.store.getState().marks[0]?.note;
  let opened: ReturnType<typeof openPage>;
  beforeEach(() => {
    opened = openPage('/app/');
    opened.page.openFile(file('mine.dat'));
    opened.answerOpen('mine.dat', 'bb');
  });

  it.each([
    ['', (page: Page, files: readonly File[]) => page.openFiles(files)],
    [' on the half for comparisons', (page: Page, files: readonly File[]) => page.compareFiles(files)],
  ])('is shown on the open trace when it is dropped%s', async (_, drop) => {
    await drop(opened.page, [saved()]);
    expect(note(opened.page)).toBe('late');
    expect(opened.sources()).toHaveLength(1);
    expect(opened.others).toHaveLength(0);
  });

  it.each([
    ['', (page: Page, files: readonly File[]) => page.openFiles(files)],
    [' on the half for comparisons', (page: Page, files: readonly File[]) => page.compareFiles(files)],
  ])('opens its trace, which came with it, with its notes%s', async (_, drop) => {
    await drop(opened.page, [file('mine.dat'), saved(), file('other.dat')]);
    expect(opened.sources()).toHaveLength(2);
    opened.answerOpen('mine.dat', 'bb');
    expect(note(opened.page)).toBe('late');
    expect(opened.page.store.getState().colour).toBe('command');
    expect(opened.page.notices.get()).toEqual([]);
    expect(opened.others.map(({ source }) => source)).toMatchObject([{ file: { name: 'other.dat' } }]);
  });

  it.each(['{}', viewFileText('mine.dat', '#v=9')])(
    'that is none is told, and the trace with it opens: %s',
    async (text) => {
      await opened.page.openFiles([saved(text), file('new.dat')]);
      opened.answerOpen('new.dat', 'cc');
      expect(opened.page.session.get()).toMatchObject({ kind: 'open', summary: { name: 'new.dat' } });
      expect(opened.page.notices.get()).toEqual([
        expect.stringContaining('x.corelane is no view that Corelane has saved'),
      ]);
      expect(opened.browser.location.hash).toBe('#v=1&trace=new.dat&fp=cc');
    },
  );
});

describe('files that are dropped one after the other', () => {
  /** A file on slow storage: it can be looked at once `come` is called. */
  function slowFile(name: string) {
    let come: (content: string) => void = () => undefined;
    const content = new Promise<string>((resolve) => {
      come = resolve;
    });
    const text = () => content;
    const slow = Object.assign(file(name), { slice: () => Object.assign(new Blob(), { text }), text });
    return { slow, come };
  }
  const names = (sources: readonly TraceSource[]): string[] =>
    sources.map((source) => (source.kind === 'file' ? source.file.name : source.url));

  it('are not replaced by one that was dropped before, however late it comes', async () => {
    const opened = openPage('/app/');
    const { slow, come } = slowFile('a.dat');
    const first = opened.page.openFiles([slow, file('c.dat')]);
    await opened.page.openFiles([file('b.dat')]);
    come('');
    await first;
    opened.answerOpen('b.dat', 'bb');
    expect(names(opened.sources())).toEqual(['b.dat']);
    expect(opened.others).toHaveLength(0);
  });

  it('replace a trace that was opened while they were looked at, and one that was dropped before', async () => {
    const opened = openPage('/app/');
    const { slow, come } = slowFile('b.dat');
    const first = opened.page.openFiles([file('a.dat')]);
    const second = opened.page.openFiles([slow]);
    await first;
    come('');
    await second;
    expect(names(opened.sources())).toEqual(['a.dat', 'b.dat']);
  });

  it('leave a view that comes late where it is', async () => {
    const opened = openPage('/app/');
    const { slow, come } = slowFile('x.corelane');
    const first = opened.page.openFiles([slow]);
    await opened.page.openFiles([file('b.dat')]);
    opened.answerOpen('b.dat', 'bb');
    const { href } = opened.browser.location;
    come(viewFileText('mine.dat', '#v=1&trace=mine.dat&fp=aa'));
    await first;
    expect(opened.browser.location.href).toBe(href);
    expect(names(opened.sources())).toEqual(['b.dat']);
    expect(opened.page.notices.get()).toEqual([]);
  });

  it('are compared with the trace that was there, and with no later one', async () => {
    const opened = openPage('/app/');
    opened.page.start();
    opened.answerOpen('sample.dat', 'aa');
    const { slow, come } = slowFile('a.dat');
    const first = opened.page.compareFiles([slow]);
    await opened.page.compareFiles([file('c.dat')]);
    expect(opened.others).toHaveLength(1);
    opened.page.openFile(file('b.dat'));
    opened.answerOpen('b.dat', 'bb');
    come('');
    await first;
    expect(opened.others).toHaveLength(1);
  });

  it('are superseded by a trace that is chosen meanwhile', async () => {
    const opened = openPage('/app/');
    const { slow, come } = slowFile('a.dat');
    const first = opened.page.openFiles([slow]);
    opened.page.openSample();
    come('');
    await first;
    expect(names(opened.sources())).toEqual(['sample.dat']);
  });
});

describe('a trace beside another', () => {
  const other: Origin = { source: { kind: 'url', url: 'b.dat' }, query: 'b.dat', name: 'b.dat' };

  it('has an engine of its own, lengthens the axis, and is in the URL until it is closed', () => {
    const opened = openPage('/app/');
    const { page, browser, others } = opened;
    expect(page.openBeside(other)).toBeNull();
    page.start();
    opened.answerOpen('sample.dat', 'aa');
    const id = page.openBeside(other) ?? -1;
    expect(others.map(({ source }) => source)).toEqual([{ kind: 'url', url: 'b.dat' }]);
    expect(page.store.getLimits().span).toBe(1e9);
    opened.answerOther(0, 'b.dat', 'bb', 2e9);
    expect(page.store.getLimits().span).toBe(2e9);
    expect(page.store.getState().tab).toBe('compare');
    page.moveBeside(id, ns(5e8));
    expect(page.store.getLimits().span).toBe(2.5e9);
    expect(browser.location.search).toBe('?trace=sample&trace=b.dat');
    expect(browser.location.hash).toBe('#v=1&trace=sample.dat&fp=aa&beside=bb@500000000&tab=compare');
    expect(browser.entries).toHaveLength(3);
    page.closeBeside(id);
    expect(others[0]?.ended).toBe(true);
    expect(page.traces.get()).toHaveLength(1);
    expect(page.store.getLimits().span).toBe(1e9);
    expect(browser.location.hash).toBe('#v=1&trace=sample.dat&fp=aa');
    browser.go(-1);
    expect(others.map(({ source }) => source)).toHaveLength(2);
    opened.answerOther(1, 'b.dat', 'bb', 2e9);
    expect(page.traces.get().map(({ offset }) => offset)).toEqual([0, 5e8]);
    browser.go(1);
    expect(page.traces.get()).toHaveLength(1);
    expect(browser.entries).toHaveLength(4);
  });

  it('is opened by a link, whose window may reach to where it alone is', () => {
    const opened = openPage(
      '/?trace=sample&trace=b.dat#v=1&trace=sample.dat&fp=aa&beside=bb@500000000&window=1001.500000000-1002.000000000',
    );
    opened.page.start();
    opened.answerOpen('sample.dat', 'aa');
    opened.answerOther(0, 'b.dat', 'bb', 2e9);
    expect(opened.page.store.getState().window).toEqual({ start: 1.5e9, end: 2e9 });
    expect(opened.browser.location.hash).toContain('&beside=bb@500000000&window=1001.500000000-1002.000000000');
    expect(opened.browser.entries).toHaveLength(1);
  });

  it('is aligned as the link has it when its file is chosen, and no longer said to be missing', async () => {
    const opened = openPage('/?trace=sample#v=1&trace=sample.dat&fp=aa&beside=bb@-5&beside=cc@7&colour=state');
    const { page, browser } = opened;
    page.start();
    opened.answerOpen('sample.dat', 'aa');
    expect(page.notices.get()).toHaveLength(2);
    page.store.dispatch({ type: 'zoom', at: ns(0), factor: 0.5 });
    expect(page.link()).toMatch(/&beside=bb@-5&beside=cc@7&window=/);
    await page.compareFiles([file('b.dat')]);
    opened.answerOther(0, 'b.dat', 'bb');
    expect(page.traces.get().map(({ offset }) => offset)).toEqual([0, -5]);
    expect(page.notices.get()).toEqual([expect.stringContaining('fingerprint cc')]);
    expect(page.store.getState().tab).toBe('findings');
    expect(browser.location.hash).toContain('&beside=bb@-5&beside=cc@7&');
    // Any other file is aligned as without a link.
    await page.compareFiles([file('d.dat')]);
    opened.answerOther(1, 'd.dat', 'dd');
    expect(page.traces.get().map(({ offset }) => offset)).toEqual([0, -5, 0]);
    expect(page.store.getState().tab).toBe('compare');
  });

  it('is no longer meant when the warning that it is missing was put away', () => {
    const opened = openPage('/?trace=sample#v=1&trace=sample.dat&fp=aa&beside=bb@-5&beside=cc@7&colour=state');
    const { page, browser } = opened;
    page.start();
    opened.answerOpen('sample.dat', 'aa');
    const [bb] = page.notices.get();
    page.dismiss(bb ?? '');
    expect(browser.location.hash).toBe('#v=1&trace=sample.dat&fp=aa&beside=cc@7&colour=state');
    expect(browser.entries).toHaveLength(1);
  });

  it('goes with the trace that it is beside', () => {
    const opened = openPage('/app/');
    opened.page.start();
    opened.answerOpen('sample.dat', 'aa');
    opened.page.openBeside(other);
    opened.page.openFile(file('mine.dat'));
    expect(opened.others[0]?.ended).toBe(true);
    expect(opened.page.traces.get()).toHaveLength(1);
  });

  it('is gone, and said to be, when it cannot be opened; files are not opened by a link', () => {
    const opened = openPage('/?trace=sample&trace=b.dat#v=1&trace=sample.dat&fp=aa&beside=bb@0&beside=cc@0');
    opened.page.start();
    opened.answerOpen('sample.dat', 'aa');
    expect(opened.page.notices.get()[0]).toContain('fingerprint cc');
    opened.failOther(0);
    expect(opened.page.notices.get()[1]).toContain('b.dat could not be opened beside this trace');
    expect(opened.page.traces.get()).toHaveLength(1);
    expect(opened.others).toHaveLength(1);
  });
});
