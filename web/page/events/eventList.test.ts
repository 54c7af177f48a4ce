import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ns } from '../../base/units';
import type { EventProgressMessage } from '../../engine/client';
import type { Answer, EventFilter, EventRow, EventsQuery } from '../../engine/protocol';
import { EventList } from './eventList';

const everything: EventFilter = { cpus: null, pids: null, events: null, text: '', window: null };
const onCpu = (cpu: number): EventFilter => ({ ...everything, cpus: [cpu] });

/** One event each microsecond, on the CPUs in turn; the last two at the same time. */
const TRACE = Array.from({ length: 10_000 }, (_, index) => ({
  cpu: index % 4,
  record: Math.floor(index / 4),
  at: ns(Math.min(index, 9_998) * 1000),
  pid: index,
  comm: 'c',
  event: 'e',
  text: `text ${index}`,
  lost: null,
}));

const matching = ({ cpus }: EventFilter): Omit<EventRow, 'row'>[] =>
  TRACE.filter(({ cpu }) => cpus === null || cpus.includes(cpu));

/** Answers as the engine does, one query at a time, when the test says so; a later query of a key supersedes. */
class Engine {
  readonly asked: { readonly key: string; readonly query: EventsQuery; readonly answer: (outcome: unknown) => void }[] =
    [];
  known = Number.POSITIVE_INFINITY;
  #hear: (progress: EventProgressMessage) => void = () => {};

  readonly query = (key: string, query: EventsQuery): Promise<never> => {
    const earlier = this.asked.findIndex((other) => other.key === key);
    if (earlier >= 0) this.asked.splice(earlier, 1)[0]?.answer({ kind: 'superseded' });
    return new Promise((resolve) => this.asked.push({ key, query, answer: resolve as never }));
  };

  readonly onEventProgress = (listener: (progress: EventProgressMessage) => void) => {
    this.#hear = listener;
    return () => {};
  };

  progress(total: number, complete: boolean): void {
    this.known = complete ? Number.POSITIVE_INFINITY : total;
    this.#hear({ type: 'eventProgress', session: 1, of: 'filter', total, done: total, all: TRACE.length, complete });
  }

  async answerAll(type?: EventsQuery['type']): Promise<void> {
    for (;;) {
      const next = this.asked.findIndex(({ query }) => type === undefined || query.type === type);
      if (next < 0) return;
      const [request] = this.asked.splice(next, 1);
      request?.answer({ kind: 'answer', answer: this.#answerTo(request.query) });
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  #answerTo(query: EventsQuery): Answer {
    if (query.type === 'event_names') return { type: query.type, names: [] };
    if (query.type === 'event_lines') return { type: query.type, text: '' };
    if (query.type === 'event_filter_check') return { type: query.type, error: null };
    if (query.type === 'event_fields') return { type: query.type, fields: [] };
    if (query.type === 'call_arguments') return { type: query.type, arguments: [] };
    if (query.type === 'pairs') return { type: query.type, pairs: [], error: null };
    if (query.type !== 'event_rows' && query.type !== 'event_row_at' && query.type !== 'event_search') {
      throw new Error(`the list asks for no ${query.type}`);
    }
    const found = matching(query.filter).map((row, index) => ({ ...row, row: index }));
    switch (query.type) {
      case 'event_rows': {
        const rows = found.slice(0, this.known);
        const complete = rows.length === found.length;
        return {
          type: query.type,
          first: query.first,
          rows: rows.slice(query.first, query.first + query.count),
          total: rows.length,
          done: rows.length,
          all: TRACE.length,
          complete,
        };
      }
      case 'event_row_at': {
        const row = found.findIndex(({ at }) => at >= query.at);
        return { type: query.type, row: row < 0 ? null : row };
      }
      case 'event_search': {
        const hits = found.filter(({ text }) => query.text !== '' && text.includes(query.text)).map(({ row }) => row);
        const after = hits.find((row) => row > query.from);
        const before = hits.findLast((row) => row < query.from);
        return { type: query.type, row: (query.direction > 0 ? after : before) ?? null };
      }
    }
  }
}

let engine: Engine;
let list: EventList;
beforeEach(() => {
  engine = new Engine();
  list = new EventList(engine as never);
});

const at = (row: number): string | undefined => list.state.get().rows.get(row)?.text;

describe('the list of events', () => {
  it('begins with its first rows and then asks for what is in sight', async () => {
    list.show(everything, 'trace-cmd', null);
    expect(list.state.get()).toMatchObject({ pending: true, total: 0 });
    await engine.answerAll();
    expect(list.state.get()).toMatchObject({ pending: false, total: 10_000, complete: true });
    expect(at(0)).toBe('text 0');
    expect(at(5000)).toBeUndefined();
    list.want(5000, 5040);
    await engine.answerAll();
    expect([at(5000), at(5039), at(5040)]).toEqual(['text 5000', 'text 5039', undefined]);
    list.want(5010, 5030);
    expect(engine.asked).toEqual([]);
  });

  it('asks for one lot of rows at a time, the last for what is in sight last', async () => {
    list.show(everything, 'trace-cmd', null);
    await engine.answerAll();
    for (let first = 1000; first < 9000; first += 100) list.want(first, first + 40);
    expect(engine.asked).toHaveLength(1);
    await engine.answerAll();
    expect([at(1000), at(4000), at(8900), at(8939)]).toEqual(['text 1000', undefined, 'text 8900', 'text 8939']);
  });

  it('keeps the old rows until new ones are there, at the same time', async () => {
    list.show(everything, 'trace-cmd', null);
    await engine.answerAll();
    list.show(onCpu(2), 'trace-cmd', { place: { cpu: 1, at: ns(5_000_001) }, below: 60, isCurrent: true });
    expect(at(0)).toBe('text 0');
    expect(list.state.get().filter).toBe(everything);
    await engine.answerAll('event_row_at');
    expect(at(0)).toBe('text 0');
    await engine.answerAll('event_rows');
    // The first event of CPU 2 after 5000.001 µs is the one at 5002 µs, the 1250th.
    expect(list.state.get().placement).toEqual({ row: 1250, isCurrent: false, below: 60 });
    expect(at(1250)).toBe('text 5002');
    expect(list.state.get().total).toBe(2500);
    expect(at(0)).toBeUndefined();
  });

  it('finds an event among those of the same time', async () => {
    list.show(everything, 'trace-cmd', { place: { cpu: 3, at: ns(9_998_000) }, below: null, isCurrent: true });
    await engine.answerAll();
    expect(list.state.get().placement).toEqual({ row: 9999, isCurrent: true, below: null });
  });

  it('makes no event current that was not', async () => {
    list.show(everything, 'raw', { place: { cpu: 0, at: ns(5_000_000) }, below: 20, isCurrent: false });
    await engine.answerAll();
    expect(list.state.get().placement).toEqual({ row: 5000, isCurrent: false, below: 20 });
  });

  it('goes to the last row when the time is later than all', async () => {
    list.show(onCpu(0), 'trace-cmd', { place: { cpu: 3, at: ns(9_998_000) }, below: null, isCurrent: true });
    await engine.answerAll();
    expect(list.state.get().placement).toEqual({ row: 2499, isCurrent: false, below: null });
  });

  it('does not pull the list away from a user who scrolls', async () => {
    list.show(everything, 'trace-cmd', null);
    await engine.answerAll();
    const before = list.state.get().placement;
    list.show(everything, 'trace-cmd', { place: { cpu: 0, at: ns(5_000_000) }, below: null, isCurrent: true });
    list.movedByHand();
    await engine.answerAll();
    expect(list.state.get().placement).toBe(before);
    expect(list.state.get().pending).toBe(false);
  });

  it('shows the beginning when the place is looked for too long', async () => {
    vi.useFakeTimers();
    list.show(onCpu(1), 'trace-cmd', { place: { cpu: 1, at: ns(5_000_000) }, below: 0, isCurrent: true });
    expect(engine.asked.map(({ key }) => key)).toEqual(['events/at']);
    vi.advanceTimersByTime(1000);
    vi.useRealTimers();
    await engine.answerAll('event_rows');
    expect(at(0)).toBe('text 1');
    await engine.answerAll('event_row_at');
    await engine.answerAll();
    expect(list.state.get().placement).toEqual({ row: 1250, isCurrent: false, below: 0 });
  });

  it('grows while its filter runs', async () => {
    engine.known = 10;
    list.want(0, 40);
    list.show(onCpu(1), 'trace-cmd', null);
    await engine.answerAll();
    expect(list.state.get()).toMatchObject({ total: 10, complete: false });
    engine.progress(20, false);
    await engine.answerAll();
    expect(at(19)).toBe('text 77');
    engine.progress(2500, true);
    await engine.answerAll();
    expect(at(39)).toBe('text 157');
    expect(list.state.get()).toMatchObject({ total: 2500, complete: true });
  });

  it('holds a bounded number of rows', async () => {
    list.show(everything, 'trace-cmd', null);
    await engine.answerAll();
    for (let first = 0; first < 10_000; first += 40) {
      list.want(first, Math.min(first + 40, 10_000));
      await engine.answerAll();
    }
    expect(at(9999)).toBe('text 9999');
    expect(list.state.get().rows.size).toBeLessThan(9000);
  });
});

describe('a search', () => {
  beforeEach(async () => {
    list.show(everything, 'trace-cmd', null);
    await engine.answerAll();
  });

  const found = async (text: string, from: number, direction: -1 | 1) => {
    const result = list.search(text, from, direction);
    await engine.answerAll();
    return result;
  };

  it('goes on from a row, and round the ends', async () => {
    expect(await found('77', 0, 1)).toEqual({ row: 77, wrapped: false });
    expect(await found('77', 77, 1)).toEqual({ row: 177, wrapped: false });
    expect(await found('77', 9977, 1)).toEqual({ row: 77, wrapped: true });
    expect(await found('77', 77, -1)).toEqual({ row: 9977, wrapped: true });
    expect(await found('nothing', 5, 1)).toBeNull();
  });

  it('can be cancelled', async () => {
    const result = list.search('77', 0, 1);
    list.cancelSearch();
    expect(await result).toBe('superseded');
  });
});
