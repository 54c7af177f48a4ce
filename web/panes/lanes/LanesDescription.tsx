import type { ReactNode } from 'react';
import { formatDuration, formatTime } from '../../base/format';
import { useObservable } from '../../components/useObservable';
import { whatRuns } from '../../page/words';
import { clockOf, metadataOf } from '../../state/traces';
import { timeOrigin } from '../../state/viewState';
import { usePage, useSession } from '../context';
import { useRestingWindow } from '../useRestingWindow';

export const LANES_DESCRIPTION_ID = 'lanes-description';

/** Describes to screen readers where the lanes are: the time window, the selected run and the keys that change both. */
export function LanesDescription(): ReactNode {
  const page = usePage();
  const metadata = metadataOf(useSession());
  const window = useRestingWindow();
  const { interval } = useObservable(page.selected);
  if (metadata === null) return null;
  const clock = clockOf(metadata);
  const origin = timeOrigin(page.store.getState(), page.store.getLimits());
  const at = (time: typeof window.start): string => formatTime(clock, time, origin);
  const selected = interval
    ? `Selected: ${whatRuns(interval)} on CPU ${interval.cpu}, at ${at(interval.start)} for ${formatDuration(clock, interval.end - interval.start)}.`
    : 'No run is selected.';
  return (
    <p id={LANES_DESCRIPTION_ID} className="visually-hidden">
      {at(window.start)} to {at(window.end)} on {metadata.cpus.length} CPUs. {selected} Full stop and comma select the
      next and the previous run, Shift with up and down those of other CPUs; W and S zoom, A and D move.
    </p>
  );
}
