/** The text of another profiler of system calls, beside the trace or alone. It is not part of the view: a link holds no files. */
import { type Observable, observable } from '../../base/observable';
import type { StaktauText } from '../../engine/protocol';
import { NOT_LOADED } from '../words';

export interface Profile {
  /** The file's name. */
  readonly name: string;
  readonly text: StaktauText;
}

type Reader = Pick<typeof import('./readProfiles'), 'readProfiles'>;

export class ProfileOwner {
  /** The last text that was opened; null: none. */
  readonly profile: Observable<Profile | null> = observable<Profile | null>(null);
  readonly #warn: (problem: string) => void;
  readonly #load: () => Promise<Reader>;
  #reading = 0;
  /** How often files were taken, and the turn of those that brought the last text: what earlier ones bring is not wanted any more. */
  #turn = 0;
  #latest = 0;

  constructor(warn: (problem: string) => void, load: () => Promise<Reader> = () => import('./readProfiles')) {
    this.#warn = warn;
    this.#load = load;
  }

  /** Whether nothing is being read. */
  get idle(): boolean {
    return this.#reading === 0;
  }

  /** Takes such texts out of some files, and returns the others. What tells them apart is loaded for the first files. */
  async take(files: readonly File[]): Promise<readonly File[]> {
    this.#reading++;
    const turn = ++this.#turn;
    try {
      const module = await this.#load().catch(() => null);
      if (module === null) {
        // Most files are traces, which can be opened without it.
        this.#warn(NOT_LOADED);
        return files;
      }
      const { profile, others, problems } = await module.readProfiles(files);
      for (const problem of problems) this.#warn(problem);
      if (profile !== null && turn > this.#latest) {
        this.#latest = turn;
        this.profile.set(profile);
      }
      return others;
    } finally {
      this.#reading--;
    }
  }

  close(): void {
    this.#latest = this.#turn;
    this.profile.set(null);
  }
}
