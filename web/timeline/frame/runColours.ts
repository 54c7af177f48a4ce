/** The colour of a run in a view, for the lanes, their labels and the page's swatches alike. */
import type { CommId } from '../../engine/protocol';
import type { ViewState } from '../../state/viewState';
import { commandColours, pidColour } from './colours';
import { sceneThemes, type ThemeName } from './theme';

export class RunColours {
  readonly theme: ThemeName;
  readonly #ofComm: readonly string[];
  readonly #idOf: ReadonlyMap<string, CommId>;

  constructor(comms: readonly string[], theme: ThemeName) {
    this.theme = theme;
    this.#ofComm = commandColours(comms, theme);
    this.#idOf = new Map(comms.map((comm, id) => [comm, id]));
  }

  /** CSS colours by `CommId`. */
  get commands(): readonly string[] {
    return this.#ofComm;
  }

  ofPid(pid: number): string {
    return pidColour(pid, this.theme);
  }

  ofComm(comm: string): string {
    const id = this.#idOf.get(comm);
    return (id === undefined ? undefined : this.#ofComm[id]) ?? sceneThemes[this.theme].other;
  }

  /** The colour of a run, by PID, by command or by target. */
  ofRun(view: Pick<ViewState, 'colour' | 'target'>, pid: number, comm: string): string {
    if (view.colour === 'command') return this.ofComm(comm);
    const stranger = view.colour === 'target' && view.target !== '' && !comm.startsWith(view.target);
    return stranger ? sceneThemes[this.theme].other : this.ofPid(pid);
  }
}
