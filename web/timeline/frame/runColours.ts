/** The colour of a run in a view, for the lanes, their labels and the page's swatches alike. */
import type { CommId } from '../../engine/protocol';
import type { ViewState } from '../../state/viewState';
import { commandColours, pidColour, ramp } from './colours';
import { PidWords } from './pidWords';
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

/** The priority of each PID. One that came back has that of its last task. */
function lastPrios({ pids, prios }: ColouredTrace): ReadonlyMap<number, number> {
  const all = new Map<number, number>();
  prios.forEach((prio, task) => {
    all.set(pids[task] ?? 0, prio);
  });
  return all;
}

const pidWords: Readonly<Record<ThemeName, PidWords>> = { light: new PidWords('light'), dark: new PidWords('dark') };

export class RunColours {
  readonly theme: ThemeName;
  readonly #trace: ColouredTrace;
  /** By `CommId`, when they were asked for: while a trace loads, there are more names with each preview. */
  #ofComm: readonly string[] | null = null;
  #idOf: ReadonlyMap<string, CommId> | null = null;
  /** By PID, when they were asked for. */
  #prios: ReadonlyMap<number, number> | null = null;

  constructor(trace: ColouredTrace, theme: ThemeName) {
    this.theme = theme;
    this.#trace = trace;
  }

  /** CSS colours by `CommId`. */
  get commands(): readonly string[] {
    this.#ofComm ??= commandColours(this.#trace.comms, this.theme);
    return this.#ofComm;
  }

  ofPid(pid: number): string {
    return pidColour(pid, this.theme);
  }

  /** The colours of PIDs as bytes, RGBA. */
  paletteOf(pids: Int32Array): Uint8Array {
    const known = pidWords[this.theme];
    const words = new Uint32Array(pids.length);
    pids.forEach((pid, task) => {
      words[task] = known.of(pid);
    });
    return new Uint8Array(words.buffer);
  }

  ofComm(comm: string): string {
    this.#idOf ??= new Map(this.#trace.comms.map((name, id) => [name, id]));
    const id = this.#idOf.get(comm);
    return (id === undefined ? undefined : this.commands[id]) ?? sceneThemes[this.theme].other;
  }

  ofPriority(pid: number): string {
    this.#prios ??= lastPrios(this.#trace);
    return sceneThemes[this.theme].priority[priorityOf(this.#prios.get(pid) ?? NO_PRIO)];
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
