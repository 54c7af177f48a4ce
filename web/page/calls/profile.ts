/** The text of another profiler of system calls, beside the trace or alone. It is not part of the view: a link holds no files. */
import { type Observable, observable } from '../../base/observable';
import type { StaktauText } from '../../engine/protocol';
import { NOT_LOADED } from '../words';

export interface Profile {
  /** The file's name. */
  readonly name: string;
  readonly text: StaktauText;
}

interface Taken {
  readonly shown: Profile | null;
  readonly others: readonly File[];
}

type Reader = Pick<typeof import('./readProfiles'), 'readProfiles'>;

export class ProfileOwner {
  /** The last text that was opened; null: none. */
  readonly profile: Observable<Profile | null> = observable<Profile | null>(null);
  readonly #warn: (problem: string) => void;
  readonly #load: () => Promise<Reader>;
  #reading = 0;
  /** How often files were taken, and which time brought the text that was set last: what earlier ones bring is not wanted any more. */
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

  /**
   * Takes such texts out of some files. Returns the one that is shown from now on, and the other files. What tells them apart is loaded
   * for the first files.
   */
  async take(files: readonly File[]): Promise<Taken> {
    this.#reading++;
    const turn = ++this.#turn;
    try {
      const module = await this.#load().catch(() => null);
      if (module === null) {
        // Most files are traces, which can be opened without it.
        this.#warn(NOT_LOADED);
        return { shown: null, others: files };
      }
      const { profile, others, problems } = await module.readProfiles(files);
      for (const problem of problems) this.#warn(problem);
      if (profile === null || turn < this.#latest) return { shown: null, others };
      this.#latest = turn;
      this.profile.set(profile);
      return { shown: profile, others };
    } finally {
      this.#reading--;
    }
  }

  close(): void {
    this.profile.set(null);
  }
}
