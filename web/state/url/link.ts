/** What a fragment says before the trace that it belongs to is open. */
import type { Ns } from '../../base/units';
import type { DetailsTab } from '../details';
import type { ArrowsOf, FindingsView } from '../findings';
import type { TimeMarkName } from '../marks';
import { initialView, type ViewState } from '../viewState';
import type { AbsoluteCall, AbsolutePlace, AbsoluteWindow } from './values';

/** The file that a view belongs to. */
export interface TraceIdentity {
  readonly name: string;
  readonly fingerprint: string;
}

/** A trace beside the one that a view belongs to. `offset`: where its time 0 lies on that trace's axis. */
export interface LinkedTrace {
  readonly fingerprint: string;
  readonly offset: Ns;
}

/** A decoded fragment. Times are absolute, since the trace that they belong to may not be open yet. */
export interface Link {
  readonly trace: TraceIdentity | null;
  readonly beside: readonly LinkedTrace[];
  readonly window: AbsoluteWindow | null;
  readonly range: AbsoluteWindow | null;
  readonly selection: AbsolutePlace | null;
  readonly event: AbsolutePlace | null;
  readonly call: AbsoluteCall | null;
  readonly marks: readonly LinkedMark[];
  readonly findings: {
    /** The tab; null: the natural one. */
    readonly tab: DetailsTab | null;
    /** The list of findings, without its time. */
    readonly findings: FindingsView;
    readonly within: AbsoluteWindow | null;
    readonly arrows: ArrowsOf;
  };
  readonly timeMarks: Readonly<Record<TimeMarkName, bigint | null>>;
  /** The rest of the view; parts that hold a time are those of the initial view. */
  readonly view: ViewState;
}

type LinkedMark = AbsolutePlace & { readonly note: string };

/** The link of a fragment without fields. */
export const emptyLink: Link = {
  trace: null,
  beside: [],
  window: null,
  range: null,
  selection: null,
  event: null,
  call: null,
  marks: [],
  findings: { tab: null, findings: initialView.findings, within: null, arrows: initialView.arrows },
  timeMarks: { a: null, b: null },
  view: initialView,
};
