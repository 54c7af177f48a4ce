/** Says which run is selected, whatever selected it: a click, a key, a link, the history. */
import type { RunRef } from '../state/viewState';
import type { Page } from './page';
import { taskName } from './words';

/** Who knows more about a run announces that once it has selected it; then nothing more is said. */
export function announceRuns(page: Pick<Page, 'store' | 'selected' | 'announcement' | 'announce'>): void {
  const { store, selected, announcement } = page;
  let last: RunRef | null = null;
  /** What was announced before the run was selected that is still to be told of; null: it was. */
  let before: string | null = null;
  selected.subscribe(() => {
    const { selection } = store.getState();
    if (selection?.cpu !== last?.cpu || selection?.start !== last?.start) {
      last = selection;
      before = announcement.get();
      if (selection === null) page.announce('No run is selected.');
    }
    const { status, interval } = selected.get();
    if (status !== 'known' || before === null) return;
    if (interval !== null && before === announcement.get()) {
      const { kind, comm, pid, cpu } = interval;
      const what = kind === 'run' && comm !== undefined && pid !== undefined ? taskName(comm, pid) : kind;
      page.announce(`${what} on CPU ${cpu} is selected.`);
    }
    before = null;
  });
}
