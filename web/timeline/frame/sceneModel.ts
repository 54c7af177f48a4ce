/** What a frame draws, the same for all panes. */
import type { Ns, TimeWindow } from '../../base/units';
import type { Interval } from '../../engine/protocol';
import type { Hover } from '../../state/hover';
import type { Arrow } from '../overlay/arrows';
import type { TaskArrow } from '../overlay/taskArrows';
import type { TaskLanes } from '../tracks/task/taskRoster';
import type { DrawnView } from './drawnView';
import type { RunColours } from './runColours';
import type { SceneTheme } from './theme';
import type { TraceInfo } from './traceInfo';

export interface SceneModel {
  readonly trace: TraceInfo | null;
  readonly view: DrawnView;
  readonly hover: Hover;
  /** The window on the screen, which moves towards `target` during an animation. */
  readonly window: TimeWindow;
  readonly target: TimeWindow;
  /** Everything that can be shown. */
  readonly everything: TimeWindow;
  /** Time 0 of the axis. */
  readonly origin: Ns;
  /** The engine's revision: answers of earlier ones may no longer hold. */
  readonly revision: number;
  readonly theme: SceneTheme;
  readonly colours: RunColours;
  readonly selected: Interval | null;
  readonly arrows: readonly Arrow[];
  readonly taskLanes: TaskLanes;
  readonly taskArrows: readonly TaskArrow[];
  /** The range that is being dragged, else the view's range. */
  readonly range: TimeWindow | null;
}
