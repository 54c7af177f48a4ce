/** The text of another profiler of system calls, beside the trace or alone. It is not part of the view: a link holds no files. */
import { type Observable, observable } from '../../base/observable';
import type { StaktauText } from '../../engine/protocol';
import { NOT_LOADED } from '../words';

export interface Profile {
  /** The file's name. */
  readonly name: string;
  readonly text: StaktauText;
}

export class ProfileOwner {
  /** The last text that was opened; null: none. */
  readonly profile: Observable<Profile | null> = observable<Profile | null>(null);
  readonly #warn: (problem: string) => void;
  #reading = 0;

  constructor(warn: (problem: string) => void) {
    this.#warn = warn;
  }

  /** Whether nothing is being read. */
  get idle(): boolean {
    return this.#reading === 0;
  }

  /** Takes such texts out of some files, and returns the others. What tells them apart is loaded for the first files. */
  async take(files: readonly File[]): Promise<readonly File[]> {
    this.#reading++;
    try {
      const module = await import('./readProfiles').catch(() => null);
      if (module === null) {
        // Most files are traces, which can be opened without it.
        this.#warn(NOT_LOADED);
        return files;
      }
      const { profile, others, problems } = await module.readProfiles(files);
      for (const problem of problems) this.#warn(problem);
      if (profile !== null) this.profile.set(profile);
      return others;
    } finally {
      this.#reading--;
    }
  }

  close(): void {
    this.profile.set(null);
  }
}
