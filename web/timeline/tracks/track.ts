/**
 * A track is a value: a trace, a kind and a key (`TrackId`). Tracks of all kinds are loaded by the same tiles
 * (`tiles/trackTiles.ts`), found under the pointer in the same way (`input/`), and answer the same four questions
 * (`engine/protocolTracks.ts`). A kind on the lanes of CPUs adds a row of
 * `registry.ts` and a file with its tiles, the places of its rows and their content.
 *
 * A scene with two traces: `Scene` is made with the first, and others are added by `addTrace`. For each it keeps a
 * `TraceScene` with what belongs to one trace: what is known about it, its tiles, its colours, its selected run and its
 * panes. The traces share the view, the frame loop and the hovered instant, whose times are the first trace's. A
 * trace's own time is the view's minus its `offset`; its engine is asked, and its panes draw, in its own time. A page
 * puts the lanes of the second trace below those of the first by mounting them there:
 *
 *     const remove = scene.addTrace({ id: 1, engine, offset, topology, selected });
 *     scene.mountLanes(upper);
 *     scene.mountLanes(lower, 1);
 */
import type { Observable } from '../../base/observable';
import type { Ns, TimeWindow } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { Topology } from '../../engine/protocol';
import type { TraceId } from '../../engine/protocolTracks';
import type { SelectedRun, SelectKnown } from '../../state/selectedRun';
import type { Session } from '../../state/traces';

/** An open trace, or one that is being opened, on the page. */
export interface SceneTrace {
  readonly id: TraceId;
  readonly engine: EngineClient;
  /** What is known about the trace. */
  readonly session: Pick<Observable<Session>, 'get' | 'subscribe'>;
  /** The trace's time 0 in the view's time; 0 for the first trace. May be negative. */
  readonly offset: Ns;
  /** The machine of the trace; null: not known. */
  readonly topology: Pick<Observable<Topology | null>, 'get' | 'subscribe'>;
  readonly selected: Pick<Observable<SelectedRun>, 'get' | 'subscribe'> & {
    readonly selectKnown: SelectKnown;
  };
  /** Goes to the overload at a place of the strip that marks them; absent for traces whose findings are not listed. */
  readonly goToOverload?: (around: TimeWindow) => void;
}
