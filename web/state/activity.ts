/** The CPUs of a trace, the busiest first: asked for once, when somebody orders lanes so. */
import { type Observable, observable } from '../base/observable';
import type { EngineClient } from '../engine/client';
import type { Cpu } from '../engine/protocol';
import { CPU_COLUMNS } from '../engine/protocolTables';

class Activity {
  /** null: not known. */
  readonly order: Observable<readonly Cpu[] | null> = observable<readonly Cpu[] | null>(null);
  readonly #engine: EngineClient;
  #session = 0;

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  /** Asks, unless it is known. */
  async want(): Promise<void> {
    const { session } = this.#engine;
    if (this.#session === session) return;
    this.#session = session;
    this.order.set(null);
    const outcome = await this.#engine.query('lanes/activity', { type: 'cpu_table', window: null });
    if (outcome.kind === 'answer' && session === this.#engine.session)
      this.order.set(busiestFirst(outcome.answer.values));
  }
}

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

const held = new WeakMap<EngineClient, Activity>();

/** How busy the CPUs of an engine's trace are. */
export function activityOf(engine: EngineClient): Activity {
  const known = held.get(engine) ?? new Activity(engine);
  held.set(engine, known);
  return known;
}
