import { type ReactNode, useEffect, useRef } from 'react';
import { formatCount, formatDuration, formatTime, plural } from '../base/format';
import { setText } from '../base/setText';
import type { TraceClock } from '../base/traceTime';
import { useObservable } from '../components/useObservable';
import type { Metadata } from '../engine/protocol';
import { whatRuns } from '../page/words';
import type { Hover } from '../state/hover';
import { clockOf, metadataOf } from '../state/traces';
import { timeOrigin } from '../state/viewState';
import { stateInWords, taskInWords } from '../timeline/tracks/task/taskWords';
import { usePage, useSession } from './context';
import { TimeMarksText } from './later';
import { withFrame } from './withFrame';

/** The hovered instant in words, the last announcement, and what is lost. */
export function StatusBar(): ReactNode {
  const page = usePage();
  const session = useSession();
  const announcement = useObservable(page.announcement);
  const metadata = metadataOf(session);
  return (
    <footer className="status-bar">
      {metadata ? <HoverText metadata={metadata} /> : <span className="hover-text" />}
      {metadata && <TimeMarksText clock={clockOf(metadata)} />}
      <output className="announcement" aria-live="polite">
        {announcement}
      </output>
      {session.kind === 'open' && session.summary.lost_gaps > 0 && (
        <span className="badge" title="Hatched on the lanes; see Diagnostics">
          {session.summary.damage?.cut
            ? 'The file is cut off'
            : session.summary.lost_events > 0
              ? `${plural(session.summary.lost_events, 'event')} lost`
              : `Events lost in ${plural(session.summary.lost_gaps, 'gap')}`}
        </span>
      )}
    </footer>
  );
}

/** The text that follows the pointer. It is written into the document without React. */
function HoverText({ metadata }: { readonly metadata: Metadata }): ReactNode {
  const { hover, store } = usePage();
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const clock = clockOf(metadata);
    const write = (): void =>
      setText(text.current, hoverInWords(hover.get(), clock, timeOrigin(store.getState(), store.getLimits())));
    write();
    return withFrame(write, hover.subscribe, store.subscribe);
  }, [hover, store, metadata]);
  return <span ref={text} className="hover-text" />;
}

function hoverInWords(
  { at, cpu, interval, waiting, state }: Hover,
  clock: TraceClock,
  origin: ReturnType<typeof timeOrigin>,
): string {
  if (at === null) {
    return '';
  }
  const time = formatTime(clock, at, origin);
  if (state) {
    return `${time} · ${taskInWords(state)} · ${stateInWords(state, clock, origin)}`;
  }
  if (cpu === null) {
    return time;
  }
  if (!interval || interval.cpu !== cpu) {
    return `${time} · CPU ${cpu}`;
  }
  const queue = waiting === null ? '' : ` · ${waiting === 0 ? 'none' : formatCount(waiting)} waiting on this CPU`;
  return `${time} · CPU ${cpu} · ${whatRuns(interval)} for ${formatDuration(clock, interval.end - interval.start)}${queue}`;
}
