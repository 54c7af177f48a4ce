/** Goes to the run that stands for a relation, and highlights the commands that it is between. */
import type { RelationEnd, RunPlace } from '../../engine/protocol';
import { MAX_HIGHLIGHTED } from '../../state/viewState';
import { intervalAt } from '../../timeline/input/picker';
import type { Page } from '../page';
import { taskName } from '../words';
import { commsOf, endText } from './words';

interface Related {
  readonly from: RelationEnd;
  readonly to: RelationEnd;
  /** Null: there is none to go to. */
  readonly run: RunPlace | null;
}

export async function goToRelated(page: Page, { from, to, run }: Related): Promise<void> {
  if (run === null) {
    page.announce(`There is no run to go to: ${endText(from)} is no task.`);
    return;
  }
  const interval = await intervalAt(page.engine, 'go', run.cpu, run.start_ns);
  if (!interval || interval === 'superseded') return;
  page.selected.selectKnown(interval, {
    type: 'reveal',
    selection: { cpu: run.cpu, start: interval.start },
    end: interval.end,
    highlighted: commsOf([from, to]).slice(0, MAX_HIGHLIGHTED),
  });
  const who = interval.comm !== undefined && interval.pid !== undefined ? taskName(interval.comm, interval.pid) : 'It';
  page.announce(`${who} on CPU ${run.cpu} is selected: the longest of ${endText(from)} and ${endText(to)}.`);
}
