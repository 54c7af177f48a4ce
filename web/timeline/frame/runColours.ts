/** The colour of a run in a view, for the lanes, their labels and the page's swatches alike. */
import type { CommId } from '../../engine/protocol';
import { packColour } from '../../gl/columns';
import type { ViewState } from '../../state/viewState';
import { commandColours, pidColour, ramp, toRgb } from './colours';
import { type Priority, sceneThemes, type ThemeName } from './theme';

/** What the colours of runs need to know of a trace. */
export interface ColouredTrace {
  /** By `CommId`. */
  readonly comms: readonly string[];
  /** By `TaskId`, as are their kernel priorities. */
  readonly pids: Int32Array;
  readonly prios: Int16Array;
}

/** In place of a task's priority where no event tells it. */
const NO_PRIO = 32767;
/** Of nice 0. */
const NICE_0 = 120;

function priorityOf(prio: number): Priority {
  if (prio >= 140) return 'unknown';
  if (prio < 0) return 'deadline';
  if (prio < 100) return 'RT';
  return prio < NICE_0 ? 'urgent' : prio === NICE_0 ? 'normal' : 'nice';
}

export class RunColours {
  readonly theme: ThemeName;
  readonly #ofComm: readonly string[];
  readonly #idOf: ReadonlyMap<string, CommId>;

  readonly #prioOf = new Map<number, number>();
  /** The colours of PIDs of the trace that were packed before. */
  readonly #packed = new Map<number, number>();

  constructor({ comms, pids, prios }: ColouredTrace, theme: ThemeName) {
    this.theme = theme;
    prios.forEach((prio, task) => {
      const pid = pids[task] ?? 0;
      // A PID that came back has the colour of its last task.
      this.#prioOf.set(pid, prio);
    });
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

  /**
   * The colours of PIDs as bytes, RGBA. While a trace loads, all tasks come again several times a second, and most of
   * them have been there before.
   */
  paletteOf(pids: Int32Array): Uint8Array {
    const words = new Uint32Array(pids.length);
    pids.forEach((pid, task) => {
      const word = this.#packed.get(pid) ?? packColour(toRgb(this.ofPid(pid)));
      this.#packed.set(pid, word);
      words[task] = word;
    });
    return new Uint8Array(words.buffer);
  }

  ofComm(comm: string): string {
    const id = this.#idOf.get(comm);
    return (id === undefined ? undefined : this.#ofComm[id]) ?? sceneThemes[this.theme].other;
  }

  ofPriority(pid: number): string {
    return sceneThemes[this.theme].priority[priorityOf(this.#prioOf.get(pid) ?? NO_PRIO)];
  }

  /** The colours of shares of busy time, from nothing to all. */
  get load(): readonly string[] {
    return ramp(sceneThemes[this.theme].load, 256);
  }

  /** The colour of a run in the view. */
  ofRun({ colour, target }: Pick<ViewState, 'colour' | 'target'>, pid: number, comm: string): string {
    const { run, load, other } = sceneThemes[this.theme];
    switch (colour) {
      case 'command':
        return this.ofComm(comm);
      case 'state':
        return run;
      case 'load':
        return load.at(-1) ?? run;
      case 'priority':
        return this.ofPriority(pid);
      case 'target':
        return target !== '' && !comm.startsWith(target) ? other : this.ofPid(pid);
      case 'pid':
        return this.ofPid(pid);
    }
  }
}
