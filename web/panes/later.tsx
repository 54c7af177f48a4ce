/**
 * Parts of the page that the first picture does not need: their code is loaded when it is drawn, or when one of them is shown
 * before.
 */
import { type ComponentType, type ReactNode, Suspense, use } from 'react';
import { observable } from '../base/observable';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { useObservable } from '../components/useObservable';

type Parts = typeof import('./laterParts');

const parts = observable<Parts | null>(null);
let loading: Promise<Parts> | null = null;

/** React asks again and again while something loads: for this long, in ms, it is told of the same failure. */
const FAILED = 1000;

/** Loads them. A load that fails is tried again when the user asks for it. */
export function loadLater(): Promise<Parts> {
  loading ??= import('./laterParts').then(
    (found) => {
      parts.set(found);
      return found;
    },
    (error) => {
      setTimeout(() => {
        loading = null;
      }, FAILED);
      throw error;
    },
  );
  return loading;
}

/** A component that stands for one of them; `pick` returns it. */
function later<Props extends object>(pick: (parts: Parts) => ComponentType<Props>): ComponentType<Props> {
  const Shown = (props: Props): ReactNode => {
    // Once loaded it is there at once, as if it had never been apart.
    const Part = pick(parts.get() ?? use(loadLater()));
    return <Part {...props} />;
  };
  return (props) => (
    <ErrorBoundary
      fallback={(error, retry) => (
        <p role="alert">
          This part of the page could not be loaded: {error.message}.{' '}
          <button type="button" className="link" onClick={retry}>
            Try again
          </button>
        </p>
      )}
    >
      <Suspense fallback={<div aria-busy="true" />}>
        <Shown {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** Such a component that nobody waits for: it is there once something else has loaded it. */
function onceLoaded<Props extends object>(pick: (parts: Parts) => ComponentType<Props>): ComponentType<Props> {
  return (props) => {
    const loaded = useObservable(parts);
    if (loaded === null) return null;
    const Part = pick(loaded);
    return <Part {...props} />;
  };
}

export const AskingCard = later(({ AskingCard }) => AskingCard);
export const BesideLanes = later(({ BesideLanes }) => BesideLanes);
export const Commands = onceLoaded(({ Commands }) => Commands);
export const ComparePane = later(({ ComparePane }) => ComparePane);
export const ContextMenu = onceLoaded(({ ContextMenu }) => ContextMenu);
export const CounterKey = onceLoaded(({ CounterKey }) => CounterKey);
export const CountersMenu = onceLoaded(({ CountersMenu }) => CountersMenu);
export const CpusChoices = later(({ CpusChoices }) => CpusChoices);
export const DiagnosticsList = later(({ DiagnosticsList }) => DiagnosticsList);
export const EarlySelection = later(({ EarlySelection }) => EarlySelection);
export const EventsPane = later(({ EventsPane }) => EventsPane);
export const FilterNote = onceLoaded(({ FilterNote }) => FilterNote);
export const FindingsPane = onceLoaded(({ FindingsPane }) => FindingsPane);
export const FilterBox = onceLoaded(({ FilterBox }) => FilterBox);
export const FigureForm = later(({ FigureForm }) => FigureForm);
export const HelpText = later(({ HelpText }) => HelpText);
export const HoverCard = onceLoaded(({ HoverCard }) => HoverCard);
export const InstantPane = later(({ InstantPane }) => InstantPane);
export const LatencyPane = later(({ LatencyPane }) => LatencyPane);
export const PairsPane = later(({ PairsPane }) => PairsPane);
export const PaletteForm = later(({ PaletteForm }) => PaletteForm);
export const ProfileCard = later(({ ProfileCard }) => ProfileCard);
export const RangeDetails = later(({ RangeDetails }) => RangeDetails);
export const SchedExtPane = later(({ SchedExtPane }) => SchedExtPane);
export const RecentList = later(({ RecentList }) => RecentList);
export const RecentMenu = onceLoaded(({ RecentMenu }) => RecentMenu);
export const RelationsPane = later(({ RelationsPane }) => RelationsPane);
export const SelectionDetails = later(({ SelectionDetails }) => SelectionDetails);
export const SyscallsPane = later(({ SyscallsPane }) => SyscallsPane);
export const TaskLanesPane = later(({ TaskLanesPane }) => TaskLanesPane);
export const TasksChoices = later(({ TasksChoices }) => TasksChoices);
export const TimeMarksText = onceLoaded(({ TimeMarksText }) => TimeMarksText);
export const TopologyControl = onceLoaded(({ TopologyControl }) => TopologyControl);
export const TopologyForm = later(({ TopologyForm }) => TopologyForm);
export const TraceExportDialog = later(({ TraceExportDialog }) => TraceExportDialog);
export const TraceFacts = later(({ TraceFacts }) => TraceFacts);
