/** What a frame draws; the same for all panes. */
import type { Ns, TimeWindow } from '../../base/units';
import type { Interval } from '../../engine/protocol';
import type { Hover } from '../../state/hover';
import type { ViewState } from '../../state/viewState';
import type { Arrow } from '../overlay/arrows';
import type { TaskArrow } from '../overlay/taskArrows';
import type { TaskLanes } from '../tracks/task/taskRoster';
import type { RunColours } from './runColours';
import type { SceneTheme } from './theme';
import type { TraceInfo } from './traceInfo';

export interface SceneModel {
  readonly trace: TraceInfo | null;
  readonly view: ViewState;
  readonly hover: Hover;
  /** On the screen; on its way to `target` while an animation goes on. */
  readonly window: TimeWindow;
  readonly target: TimeWindow;
  /** All that can be shown. */
  readonly everything: TimeWindow;
  /** Time 0 of the axis. */
  readonly origin: Ns;
  /** The engine's: answers of earlier revisions may no longer hold. */
  readonly revision: number;
  readonly theme: SceneTheme;
  readonly colours: RunColours;
  readonly selected: Interval | null;
  readonly arrows: readonly Arrow[];
  readonly taskLanes: TaskLanes;
  readonly taskArrows: readonly TaskArrow[];
  /** A range that is being dragged, else that of the view. */
  readonly range: TimeWindow | null;
}
