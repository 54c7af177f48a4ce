import type { ReactNode } from 'react';
import { formatBytes, formatPercent, plural } from '../base/format';
import { Prose } from '../components/Prose';
import { useObservable } from '../components/useObservable';
import type { EngineError, Progress } from '../engine/protocol';
import { placeInWords, sentence } from '../page/words';
import type { Origin } from '../state/traces';
import type { TraceIdentity } from '../state/url/link';
import { usePage, useSession } from './context';
import { AskingCard, ProfileCard, RecentList } from './later';
import './overlay.css';

/** The overlay over the panes while there is no trace to see: loading, an error, or an invitation to open one. */
export function SessionOverlay({ openFile }: { readonly openFile: () => void }): ReactNode {
  const page = usePage();
  const session = useSession();
  const profile = useObservable(page.profiles.profile);
  switch (session.kind) {
    case 'open':
      return null;
    case 'loading':
      return (
        <LoadingCard
          name={session.origin.name}
          progress={session.progress}
          compact={session.preview !== null}
          onCancel={() => page.cancel()}
        />
      );
    case 'asking':
      return <AskingCard origin={session.origin} hosts={session.hosts} openFile={openFile} />;
    case 'failed':
      return <FailedCard origin={session.origin} error={session.error} openFile={openFile} />;
    case 'empty':
      return profile ? (
        <ProfileCard profile={profile} wanted={session.wanted} openFile={openFile} />
      ) : session.wanted ? (
        <WantedCard wanted={session.wanted} openFile={openFile} />
      ) : (
        <EmptyCard openFile={openFile} />
      );
  }
}

interface LoadingProps {
  readonly name: string;
  readonly progress: Progress | null;
  /** Whether lanes are already visible: the card then makes room for them. */
  readonly compact: boolean;
  readonly onCancel: () => void;
}

const STAGES: Readonly<Record<Progress['stage'], string>> = {
  downloading: 'Downloading',
  reading: 'Reading',
  building: 'Building the index of',
};

/** How much of its stage is done; null: nobody knows. */
function shareOf({ stage, built, bytes, totalBytes }: Progress): number | null {
  if (stage === 'building') return built;
  return totalBytes > 0 ? bytes / totalBytes : null;
}

function LoadingCard({ name, progress, compact, onCancel }: LoadingProps): ReactNode {
  const share = progress && shareOf(progress);
  return (
    <div className={compact ? 'card-layer compact' : 'card-layer'}>
      <section className="card" aria-label="Loading">
        <h2>
          {progress ? STAGES[progress.stage] : 'Opening'} {name}
        </h2>
        <progress className="progress" aria-label="Loading" value={share ?? undefined} max={1} />
        <p className="card-facts">
          {progress ? (
            <>
              <span>
                {formatBytes(progress.bytes)}
                {progress.totalBytes > 0 && ` of ${formatBytes(progress.totalBytes)}`}
              </span>
              <span>{plural(progress.events, 'event')}</span>
              {progress.cpus > 0 && (
                <span>
                  {progress.cpusDone} of {plural(progress.cpus, 'CPU')}
                </span>
              )}
              {share !== null && <span>{formatPercent(share)}</span>}
            </>
          ) : (
            <span>Reading the metadata</span>
          )}
        </p>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </section>
    </div>
  );
}

const TITLES: Readonly<Record<EngineError['kind'], string>> = {
  not_a_trace: 'This is not a trace that Corelane can read',
  truncated: 'This file is cut off',
  unsupported: 'This trace cannot be read',
  malformed: 'This trace is damaged',
  empty: 'This trace is empty',
  io: 'The trace could not be read',
  memory: 'There is not enough memory for this trace',
  internal: 'Corelane made a mistake',
};

/** Errors that are not the file's fault alone. */
const MAY_PASS: readonly EngineError['kind'][] = ['io', 'memory', 'internal'];

interface FailedProps {
  readonly origin: Origin;
  readonly error: EngineError;
  readonly openFile: () => void;
}

function FailedCard({ origin, error, openFile }: FailedProps): ReactNode {
  const page = usePage();
  const previous = page.previous();
  return (
    <div className="card-layer">
      <section className="card error" role="alert">
        <h2>{TITLES[error.kind]}</h2>
        <dl className="card-error">
          <dt>File</dt>
          <dd>{origin.name}</dd>
          <dt>What</dt>
          <dd>
            <Prose text={sentence(error.what)} />
          </dd>
          {error.where !== null && (
            <>
              <dt>Where</dt>
              <dd>{placeInWords(error.where)}</dd>
            </>
          )}
          <dt>What to do</dt>
          <dd>
            <Prose text={sentence(error.advice)} />
          </dd>
        </dl>
        <div className="card-buttons">
          {MAY_PASS.includes(error.kind) && (
            <button type="button" className="button" onClick={() => page.retry(origin)}>
              Try again
            </button>
          )}
          <button type="button" className="button primary" onClick={openFile}>
            Open another trace…
          </button>
          {previous && (
            <button type="button" className="button" onClick={() => page.goBack(previous)}>
              Back to {previous.name}
            </button>
          )}
          {previous?.query !== 'sample' && origin.query !== 'sample' && (
            <button type="button" className="button" onClick={() => page.openSample()}>
              Open the sample
            </button>
          )}
        </div>
      </section>
    </div>
  );
}

function WantedCard({
  wanted,
  openFile,
}: {
  readonly wanted: TraceIdentity;
  readonly openFile: () => void;
}): ReactNode {
  const page = usePage();
  return (
    <div className="card-layer">
      <section className="card" aria-label="Trace wanted">
        <h2>This link is a view of “{wanted.name === '' ? 'a trace' : wanted.name}”</h2>
        <p>The link holds the view, not the trace. Drop the file here, or choose it: it stays on this machine.</p>
        <p className="muted">
          Fingerprint <code>{wanted.fingerprint}</code>
        </p>
        <div className="card-buttons">
          <button type="button" className="button primary" onClick={openFile}>
            Choose {wanted.name === '' ? 'the trace' : wanted.name}…
          </button>
          <button type="button" className="button" onClick={() => page.openSample()}>
            Open the sample instead
          </button>
        </div>
        <RecentList openFile={openFile} fingerprint={wanted.fingerprint} />
      </section>
    </div>
  );
}

function EmptyCard({ openFile }: { readonly openFile: () => void }): ReactNode {
  const page = usePage();
  const previous = page.previous();
  return (
    <div className="card-layer">
      <section className="card" aria-label="No trace">
        <h2>Drop a trace.dat anywhere on this page</h2>
        <p>
          Traces of Perfetto, perf and SchedViz, and the text of tracefs, trace-cmd, perf script and STaKTAU open, too;
          text can be pasted. It is read here, in the browser, and never uploaded. To record one:
        </p>
        <pre>
          <code>
            trace-cmd record -e sched -v -e sched_stat_runtime -q -o trace.dat sh -c 'sleep 1; ./mycommand; true'
          </code>
        </pre>
        <div className="card-buttons">
          <button type="button" className="button primary" onClick={openFile}>
            Open trace…
          </button>
          {previous && previous.query !== 'sample' && (
            <button type="button" className="button" onClick={() => page.goBack(previous)}>
              Back to {previous.name}
            </button>
          )}
          <button type="button" className="button" onClick={() => page.openSample()}>
            Open the sample
          </button>
        </div>
        <RecentList openFile={openFile} />
      </section>
    </div>
  );
}
