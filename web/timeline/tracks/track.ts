/**
 * A track is a value: which trace, which kind, which key (`TrackId`). All kinds are loaded by the same tiles
 * (`tiles/trackTiles.ts`), found under the pointer in the same way (`input/`), and asked the same four questions of the
 * engine (`engine/protocolTracks.ts`). What a kind has of its own is a `TilesSpec` and a painter.
 *
 * A scene with two traces: `Scene` is made with the first and given others by `addTrace`. For each it keeps a `TraceScene`
 * with what belongs to one trace: what is known of it, its tiles, its colours, its selected run and its panes. They share
 * the view, the frame loop and the hovered instant, which are in the first trace's time, the view's; a trace's own time is
 * that minus its `offset`, and what is asked of its engine and drawn in its panes is in its own time. A page puts the lanes
 * of the second below those of the first by mounting them there:
 *
 *     const remove = scene.addTrace({ id: 1, engine, offset, topology, selected });
 *     scene.mountLanes(upper);
 *     scene.mountLanes(lower, 1);
 */
import type { Observable } from '../../base/observable';
import type { Ns } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { Interval, Topology } from '../../engine/protocol';
import type { TraceId } from '../../engine/protocolTracks';
import type { SelectedRun } from '../../state/selectedRun';
import type { Session } from '../../state/traces';

/** An open trace, or one that is being opened, on the page. */
export interface SceneTrace {
  readonly id: TraceId;
  readonly engine: EngineClient;
  /** What is known of it. */
  readonly session: Pick<Observable<Session>, 'get' | 'subscribe'>;
  /** Where the trace's time 0 is in the view's time; 0 for the first trace. May be negative. */
  readonly offset: Ns;
  /** The machine of the trace; null: not known. */
  readonly topology: Pick<Observable<Topology | null>, 'get' | 'subscribe'>;
  readonly selected: Pick<Observable<SelectedRun>, 'get' | 'subscribe'> & {
    /** An interval that is selected next is known. */
    readonly offer: (interval: Interval) => void;
  };
}
