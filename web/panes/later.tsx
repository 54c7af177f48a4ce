/**
 * Parts of the page that the first picture does not need: their code is loaded when it is drawn, or when one of them is shown
 * before.
 */
import { type ComponentType, type ReactNode, Suspense, use } from 'react';

type Parts = typeof import('./laterParts');

let loaded: Parts | null = null;
let loading: Promise<Parts> | null = null;

/** Loads them. A load that fails is tried again when one of them is shown. */
export function loadLater(): Promise<Parts> {
  loading ??= import('./laterParts').then(
    (parts) => {
      loaded = parts;
      return parts;
    },
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** A component that stands for one of them; `pick` returns it. */
function later<Props extends object>(pick: (parts: Parts) => ComponentType<Props>): ComponentType<Props> {
  const Shown = (props: Props): ReactNode => {
    // Once loaded it is there at once, as if it had never been apart.
    const Part = pick(loaded ?? use(loadLater()));
    return <Part {...props} />;
  };
  return (props) => (
    <Suspense fallback={<div aria-busy="true" />}>
      <Shown {...props} />
    </Suspense>
  );
}

export const EventsPane = later(({ EventsPane }) => EventsPane);
export const FigureForm = later(({ FigureForm }) => FigureForm);
export const LatencyPane = later(({ LatencyPane }) => LatencyPane);
export const RangeDetails = later(({ RangeDetails }) => RangeDetails);
export const SelectionDetails = later(({ SelectionDetails }) => SelectionDetails);
export const TraceFacts = later(({ TraceFacts }) => TraceFacts);
