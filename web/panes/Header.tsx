import { type ReactNode, useEffect, useRef, useState } from 'react';
import { pickFiles } from '../base/fileHandles';
import { formatBytes, formatDuration, plural } from '../base/format';
import { NARROW, useMedia } from '../components/useMedia';
import { useObservable } from '../components/useObservable';
import { CONTROLS } from '../page/controls';
import { copyLink } from '../page/copyLink';
import { eventCount } from '../page/words';
import { clockOf, metadataOf } from '../state/traces';
import { usePage, useSession } from './context';
import { RecentMenu } from './later';
import './header.css';

interface HeaderProps {
  readonly onHelp: () => void;
  readonly onExport: () => void;
  readonly onSave: () => void;
}

/** The name of the open trace, and the commands that concern all of it. */
export function Header({ onHelp, onExport, onSave }: HeaderProps): ReactNode {
  const page = usePage();
  const session = useSession();
  const theme = useObservable(page.theme);
  const isNarrow = useMedia(NARROW);
  const [unfolded, setUnfolded] = useState(false);
  const isFolded = isNarrow && !unfolded;
  return (
    <header className={isFolded ? 'header folded' : 'header'}>
      <span className="brand" aria-hidden="true">
        <BrandMark />
        <span className="brand-name">Corelane</span>
      </span>
      <FileChooser
        id="trace-file"
        buttonId="trace-file-button"
        text="Open trace…"
        title="Open a trace.dat (Ctrl+O); several open beside each other"
        label="Trace file"
        onChoose={(files) => void page.openFiles(files)}
      />
      <span className="folds">
        {session.kind === 'open' && (
          <FileChooser
            id="other-file"
            buttonId={CONTROLS.compare}
            text="Compare…"
            title="Open another trace beside this one, on one time axis"
            label="Trace file to compare with"
            onChoose={(files) => void page.compareFiles(files)}
          />
        )}
        <RecentMenu />
      </span>
      <TraceTitle />
      {isNarrow && (
        <button
          type="button"
          className={isFolded ? 'button' : 'button on'}
          aria-expanded={!isFolded}
          title="Compare, recent traces, export, save, link, theme and help"
          onClick={() => setUnfolded(isFolded)}
        >
          Trace <span aria-hidden="true">▾</span>
        </button>
      )}
      <span className="spacer folds" />
      <span className="folds">
        <button
          type="button"
          className="button"
          disabled={session.kind !== 'open'}
          aria-haspopup="dialog"
          title="What the page shows as SVG, PDF or PNG, and the command that makes it (X)"
          onClick={onExport}
        >
          Export…
        </button>
        <button
          type="button"
          className="button"
          disabled={session.kind !== 'open'}
          aria-haspopup="dialog"
          title="Save the trace, or a part of it, for other viewers"
          onClick={onSave}
        >
          Save…
        </button>
        <CopyLink />
        <button
          type="button"
          className="button quiet"
          aria-label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
          title={theme === 'dark' ? 'Light theme' : 'Dark theme'}
          onClick={() => page.theme.set(theme === 'dark' ? 'light' : 'dark')}
        >
          <ThemeMark />
        </button>
        <button type="button" className="button quiet" title="Keys and gestures (?)" onClick={onHelp}>
          Help
        </button>
      </span>
    </header>
  );
}

interface FileChooserProps {
  readonly id: string;
  readonly buttonId: string;
  readonly text: string;
  readonly title: string;
  readonly label: string;
  readonly onChoose: (files: readonly File[]) => void;
}

function FileChooser({ id, buttonId, text, title, label, onChoose }: FileChooserProps): ReactNode {
  const chooser = useRef<HTMLInputElement>(null);
  const choose = async (): Promise<void> => {
    const files = await pickFiles();
    if (files === null) chooser.current?.click();
    else if (files.length > 0) onChoose(files);
  };
  return (
    <>
      <button id={buttonId} type="button" className="button" title={title} onClick={() => void choose()}>
        {text}
      </button>
      <input
        ref={chooser}
        id={id}
        type="file"
        multiple
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          onChoose([...(event.target.files ?? [])]);
          // Lets the same file be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}

function TraceTitle(): ReactNode {
  const session = useSession();
  const metadata = metadataOf(session);
  const name = metadata?.name ?? (session.kind === 'empty' ? null : session.origin.name);
  useEffect(() => {
    document.title = name === null ? 'Corelane' : `${name} – Corelane`;
  }, [name]);
  if (session.kind === 'empty') {
    return <h1 className="trace-title muted">No trace</h1>;
  }
  const facts: string[] = [];
  if (metadata) {
    facts.push(formatBytes(metadata.size), plural(metadata.cpus.length, 'CPU'));
  }
  if (session.kind === 'open') {
    const { summary } = session;
    facts.push(formatDuration(clockOf(summary), summary.span), eventCount(summary));
  }
  return (
    <h1 className="trace-title">
      <span className="trace-name" title={name ?? ''}>
        {name}
      </span>
      {session.origin.query === 'sample' && <span className="tag">built-in sample</span>}
      <span className="trace-facts muted">{facts.join(' · ')}</span>
    </h1>
  );
}

function CopyLink(): ReactNode {
  const page = usePage();
  const session = useSession();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyLink(page))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button
      type="button"
      className="button"
      disabled={session.kind !== 'open'}
      title="Copy a link to this view. The trace itself is not uploaded."
      onClick={() => void copy()}
    >
      {copied ? 'Link copied' : 'Copy link'}
    </button>
  );
}

function BrandMark(): ReactNode {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="6" fill="#14181f" />
      <g strokeWidth="4">
        <path d="M5 8h8M16 8h4M23 8h4" stroke="#8ab4ff" />
        <path d="M5 16h4M12 16h12" stroke="#3ddbaa" />
        <path d="M5 24h12M20 24h7" stroke="#ff7a5c" />
      </g>
    </svg>
  );
}

function ThemeMark(): ReactNode {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </svg>
  );
}
