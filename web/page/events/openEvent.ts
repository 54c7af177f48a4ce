import { ns } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { EventRow, Interval } from '../../engine/protocol';
import { intervalAt } from '../../timeline/input/picker';
import type { Page } from '../page';

/** Where an event is, and in which thread. */
type EventPlace = Pick<EventRow, 'cpu' | 'at' | 'pid'>;

/**
 * Goes to an event on the lanes and selects the run that it belongs to, unless the list follows the selection; `begins`: it is a
 * switch that is looked at for the run that it begins.
 */
export async function openEvent(page: Page, row: EventPlace, keepsSelection: boolean, begins = false): Promise<void> {
  const event = { cpu: row.cpu, at: row.at };
  if (keepsSelection) {
    page.store.dispatch({ type: 'showEvent', event, selection: undefined });
    return;
  }
  const run = await (begins ? runFrom(page.engine, row) : runOf(page.engine, row));
  if (run !== 'superseded') {
    page.selected.selectKnown(run, { type: 'showEvent', event, selection: run && { cpu: run.cpu, start: run.start } });
  }
}

/** The run in which the event happened: a switch is the last event of the run that it ends. */
async function runOf(engine: EngineClient, { cpu, at, pid }: EventPlace): Promise<Interval | null | 'superseded'> {
  for (const time of [at, ns(at - 1)]) {
    const interval = await intervalAt(engine, 'events/run', cpu, time);
    if (interval === 'superseded' || (interval?.kind === 'run' && interval.pid === pid)) {
      return interval;
    }
  }
  return null;
}

/** The run that begins with a switch; null: the CPU idles then. */
async function runFrom(engine: EngineClient, { cpu, at }: EventPlace): Promise<Interval | null | 'superseded'> {
  const interval = await intervalAt(engine, 'events/run', cpu, at);
  return interval === 'superseded' || interval?.kind === 'run' ? interval : null;
}
