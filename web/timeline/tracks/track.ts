/**
 * A track is a value: which trace, which kind, which key (`TrackId`). All kinds are loaded by the same tiles
 * (`tiles/trackTiles.ts`), found under the pointer in the same way (`input/`), and asked the same four questions of the
 * engine (`engine/protocolTracks.ts`). What a kind has of its own is a descriptor and a painter.
 *
 * A scene with two traces: `Scene` takes a list of `SceneTrace`. For each it keeps a `TraceScene` with what belongs to one
 * trace: what is known of it, its tiles, its colours and its selected run. They share the window, the frame loop and the
 * hovered instant, which are in the first trace's time; a trace's own time is that minus its `offset`. The panes of a
 * trace are mounted with its id, so that a page puts the lanes of the second below those of the first:
 *
 *     scene.mountLanes(upper)            the first trace
 *     scene.mountLanes(lower, trace.id)  another one
 */
import type { Observable } from '../../base/observable';
import type { Ns } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { Topology } from '../../engine/protocolTopology';
import type { TraceId } from '../../engine/protocolTracks';

/** An open trace, or one that is being opened, on the page. */
export interface SceneTrace {
  readonly id: TraceId;
  readonly engine: EngineClient;
  /** Where the trace's time 0 is, in the first trace's time; 0 for the first. May be negative. */
  readonly offset: Ns;
  /** The machine of the trace; null: not known. */
  readonly topology: Pick<Observable<Topology | null>, 'get' | 'subscribe'>;
}
