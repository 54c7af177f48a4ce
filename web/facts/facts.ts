/** What several parts of the page know about the open trace: each fact is asked for once. */
import type { AnswerTo, EngineClient } from '../engine/client';
import type { Cpu, Query } from '../engine/protocol';
import { CPU_COLUMNS } from '../engine/protocolTables';
import { insist } from './retries';

interface Held<A> {
  readonly session: number;
  readonly revision: number;
  value: A | null;
  /** Whether there is an answer, or none to come. */
  isSettled: boolean;
  readonly waiting: Set<() => void>;
}

/** Makes one value for each engine. */
export function perEngine<T>(make: (engine: EngineClient) => T): (engine: EngineClient) => T {
  const held = new WeakMap<EngineClient, T>();
  return (engine) => {
    const known = held.get(engine) ?? make(engine);
    held.set(engine, known);
    return known;
  };
}

/** Returns a fact of the open trace, or null as long as it is unknown. `arrived`: called once when it is known or newer. */
type Fact<A> = (engine: EngineClient, arrived: () => void) => A | null;

/** `changes`: whether the answer may change while the trace is open; the last one stays until then. */
function fact<Q extends Query, A>(query: Q, read: (answer: AnswerTo<Q>) => A, changes = false): Fact<A> {
  const held = new WeakMap<EngineClient, Held<A>>();
  const ask = async (engine: EngineClient, asked: Held<A>): Promise<void> => {
    const isWanted = (): boolean => held.get(engine) === asked && engine.session === asked.session;
    const outcome = await insist(() => engine.query(`facts/${query.type}`, query), isWanted);
    if (outcome.kind === 'superseded' || !isWanted()) return;
    if (outcome.kind === 'answer') asked.value = read(outcome.answer);
    asked.isSettled = true;
    const listeners = [...asked.waiting];
    asked.waiting.clear();
    for (const listener of listeners) listener();
  };
  return (engine, arrived) => {
    const { session } = engine;
    const revision = changes ? engine.traceRevision : 0;
    let known = held.get(engine);
    if (known?.session !== session || known.revision !== revision) {
      const { value, waiting } = known?.session === session ? known : { value: null, waiting: new Set<() => void>() };
      known = { session, revision, value, isSettled: false, waiting };
      held.set(engine, known);
      void ask(engine, known);
    }
    if (!known.isSettled) known.waiting.add(arrived);
    return known.value;
  };
}

/** System calls and interrupts; calls may get other names. */
export const callFacts = fact({ type: 'call_facts' } as const, (answer) => answer, true);

/** What the events of sched_ext say about the whole trace. */
export const schedExtEvents = fact({ type: 'sched_ext_events', window: null } as const, (answer) => answer);

/** Dispatch queues over time. */
export const dispatchQueues = fact({ type: 'queues' } as const, (answer) => answer);

/** The CPUs, the busiest first. */
export const busiestCpus = fact({ type: 'cpu_table', window: null } as const, ({ values }) => busiestFirst(values));

/** Of a table of CPUs. */
function busiestFirst(values: Float64Array): readonly Cpu[] {
  const column = (name: (typeof CPU_COLUMNS)[number]): number => CPU_COLUMNS.indexOf(name);
  const [cpu, busy, width] = [column('cpu'), column('busy_ns'), CPU_COLUMNS.length];
  const rows = Array.from({ length: Math.floor(values.length / width) }, (_, row) => ({
    cpu: values[row * width + cpu] ?? 0,
    busy: values[row * width + busy] ?? 0,
  }));
  return rows.sort((a, b) => b.busy - a.busy || a.cpu - b.cpu).map((row) => row.cpu);
}
