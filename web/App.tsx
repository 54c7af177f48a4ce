import { type ReactNode, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { DropZone } from './components/DropZone';
import { ErrorBoundary } from './components/ErrorBoundary';
import { Splitter } from './components/Splitter';
import { NARROW, useMedia } from './components/useMedia';
import { useObservable } from './components/useObservable';
import { CONTROLS } from './page/controls';
import { commandFor, type PageUi } from './page/keys';
import type { Page } from './page/page';
import { toggleSelectedLane } from './page/taskLanes';
import { CommandsPane } from './panes/CommandsPane';
import { PageContext, type PaneContext } from './panes/context';
import { DetailsPane } from './panes/DetailsPane';
import { GRID_ID, SEARCH_ID } from './panes/events/ids';
import { FigureDialog } from './panes/figure/FigureDialog';
import { Header } from './panes/Header';
import { HelpDialog } from './panes/HelpDialog';
import { FILTER_ID } from './panes/hits/ids';
import { ContextMenu, EventsPane, HoverCard, TraceExportDialog } from './panes/later';
import { Notices } from './panes/Notices';
import { PaletteDialog } from './panes/palette/PaletteDialog';
import { SessionOverlay } from './panes/SessionOverlay';
import { StatusBar } from './panes/StatusBar';
import { TimePanes } from './panes/TimePanes';
import { Toolbar } from './panes/Toolbar';
import './panes/pane.css';

/** In smaller windows the commands are a tab, so that the list of findings has the height of its column. */
const ROOM_FOR_COMMANDS = '(min-width: 1440px)';

const OPEN_TEXT = 'Drop to open this trace. It stays on this machine.';
const BESIDE_TEXT = 'Drop to open it beside the open one, and compare them.';

/** The whole page. */
export function App({ page, scene }: PaneContext): ReactNode {
  const [help, setHelp] = useState(false);
  const [exporting, setExporting] = useState(false);
  /** Null: its code was not needed yet. Once opened the dialog stays, to give the focus back when it closes. */
  const [saving, setSaving] = useState<boolean | null>(null);
  const [finding, setFinding] = useState(false);
  const ui = useMemo<PageUi>(
    () => ({
      openFile: () => document.getElementById('trace-file-button')?.click(),
      toggleHelp: () => setHelp((open) => !open),
      openPalette: () => setFinding(true),
      control: (control) => {
        const button = document.getElementById(CONTROLS[control]);
        const isThere = button instanceof HTMLButtonElement && !button.disabled && button.checkVisibility();
        return isThere ? () => button.click() : null;
      },
      exportFigure: () => setExporting(page.session.get().kind === 'open'),
      exportTrace: () => setSaving(page.session.get().kind === 'open'),
      toggleTaskLane: () => void toggleSelectedLane(page, scene.tasks.roster.lanes.get().lanes),
      toggleEvents: () => {
        const open = !page.store.getState().events.open;
        page.store.dispatch({ type: 'events', change: { open } });
        if (open) {
          focusSoon(GRID_ID);
        }
      },
      // Without a trace there is no field, now or soon.
      filter: () => page.session.get().kind === 'open' && focusSoon(FILTER_ID),
      searchEvents: () => {
        page.store.dispatch({ type: 'events', change: { open: true } });
        focusSoon(SEARCH_ID);
      },
    }),
    [page, scene],
  );
  const eventsOpen = useSyncExternalStore(page.store.subscribe, () => page.store.getState().events.open);
  const context = useMemo(() => ({ page, scene }), [page, scene]);
  const stacked = useMedia(NARROW);
  const hasCommandsPane = useMedia(ROOM_FOR_COMMANDS);
  const details = (
    <Guarded part="the details">
      <DetailsPane withCommands={!hasCommandsPane} />
    </Guarded>
  );
  useKeys(page, ui);
  const isOpen = useObservable(page.session).kind === 'open';
  const drop = useCallback(
    (files: readonly File[], half: 0 | 1) => void (half === 1 ? page.compareFiles(files) : page.openFiles(files)),
    [page],
  );
  return (
    <PageContext value={context}>
      <Header onHelp={ui.toggleHelp} onExport={ui.exportFigure} onSave={ui.exportTrace} />
      <Toolbar />
      <Notices />
      <main className="main">
        <Splitter
          label="Height above the events"
          direction="rows"
          initial={0.58}
          first={
            <Splitter
              label={stacked ? 'Height of the lanes above the tables' : 'Width of the lanes'}
              key={stacked ? 'stacked' : 'beside'}
              direction={stacked ? 'rows' : 'columns'}
              initial={stacked ? 0.45 : 0.67}
              mostAtFirst={560}
              first={
                <Guarded part="the lanes">
                  <TimePanes />
                </Guarded>
              }
              second={
                hasCommandsPane ? (
                  <Splitter
                    label="Height of the commands"
                    direction="rows"
                    initial={0.36}
                    first={
                      <Guarded part="the commands">
                        <CommandsPane />
                      </Guarded>
                    }
                    second={details}
                  />
                ) : (
                  details
                )
              }
            />
          }
          second={
            eventsOpen ? (
              <Guarded part="the events">
                <EventsPane />
              </Guarded>
            ) : null
          }
        />
        <SessionOverlay openFile={ui.openFile} />
      </main>
      <StatusBar />
      <HoverCard />
      <ContextMenu />
      <HelpDialog open={help} onClose={() => setHelp(false)} />
      <PaletteDialog ui={ui} open={finding} onClose={() => setFinding(false)} />
      <FigureDialog open={exporting} onClose={() => setExporting(false)} />
      {saving !== null && <TraceExportDialog open={saving} onClose={() => setSaving(false)} />}
      <DropZone texts={isOpen ? [OPEN_TEXT, BESIDE_TEXT] : [OPEN_TEXT]} onDrop={drop} />
    </PageContext>
  );
}

/** Focuses an element as soon as it is on the page, if that is before the user goes elsewhere. */
function focusSoon(id: string): void {
  const before = document.activeElement;
  const look = (): void => {
    const element = document.getElementById(id);
    if (element) {
      element.focus();
      if (element instanceof HTMLInputElement) {
        element.select();
      }
    } else if (document.activeElement === before) {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}

/** Lets one part of the page fail without the others. */
function Guarded({ part, children }: { readonly part: string; readonly children: ReactNode }): ReactNode {
  return (
    <ErrorBoundary
      fallback={(error, retry) => (
        <section className="pane failed" role="alert">
          <h2>Something went wrong in {part}</h2>
          <p>
            <code>{error.message}</code>
          </p>
          <p>The rest of the page still works.</p>
          <button type="button" className="button" onClick={retry}>
            Show {part} again
          </button>
        </section>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

function useKeys(page: Page, ui: PageUi): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      // It closes an open menu, wherever the focus is: the browser does that unless the page takes the key.
      if (event.key === 'Escape' && document.querySelector('[popover=auto]:popover-open')) return;
      const command = commandFor(event);
      if (command?.run) {
        event.preventDefault();
        command.run(page, ui);
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [page, ui]);
}
