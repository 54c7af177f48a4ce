/** The text of another profiler of system calls, beside the trace or alone. It is not part of the view: a link holds no files. */
import { type Observable, observable } from '../../base/observable';
import type { StaktauText } from '../../engine/protocol';
import { readStaktau } from '../../engine/staktauText';

export interface Profile {
  /** The file's name. */
  readonly name: string;
  readonly text: StaktauText;
}

export class ProfileOwner {
  /** The last text that was opened; null: none. */
  readonly profile: Observable<Profile | null> = observable<Profile | null>(null);
  readonly #warn: (problem: string) => void;
  readonly #read: typeof readStaktau;
  #reading = 0;

  constructor(warn: (problem: string) => void, read = readStaktau) {
    this.#warn = warn;
    this.#read = read;
  }

  /** Whether nothing is being read. */
  get idle(): boolean {
    return this.#reading === 0;
  }

  /** Takes such texts out of some files, and returns the others. */
  async take(files: readonly File[]): Promise<File[]> {
    this.#reading++;
    const others: File[] = [];
    for (const file of files) {
      const { text, error } = await this.#read(file);
      if (error !== null) this.#warn(`${file.name} could not be read: ${error.what}`);
      else if (text === null) others.push(file);
      else this.profile.set({ name: file.name, text });
    }
    this.#reading--;
    return others;
  }

  close(): void {
    this.profile.set(null);
  }
}
