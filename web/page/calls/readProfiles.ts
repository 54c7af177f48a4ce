/** Tells texts of another profiler of system calls from traces, and reads them. */
import type { StaktauReply } from '../../engine/protocol';
import { readStaktau } from '../../engine/staktauText';
import type { Profile } from './profile';

interface SortedFiles {
  /** The last text; null: there is none. */
  readonly profile: Profile | null;
  readonly others: readonly File[];
  readonly problems: readonly string[];
}

/** How many bytes tell whether it is worth to look at a file. */
const HEAD = 64;
/** Every such text begins so; what is one is for its reader to say. */
const MAY_BE = /^\s*(?:----- TID |[01] \w+\()/;

export async function readProfiles(
  files: readonly File[],
  read: (file: File) => Promise<StaktauReply> = readStaktau,
): Promise<SortedFiles> {
  let profile: Profile | null = null;
  const others: File[] = [];
  const problems: string[] = [];
  for (const file of files) {
    // A file that cannot be looked at is none: who opens it says why.
    const head = await file
      .slice(0, HEAD)
      .text()
      .catch(() => '');
    const { text, error } = MAY_BE.test(head) ? await read(file) : { text: null, error: null };
    if (error !== null) problems.push(`${file.name} could not be read: ${error.what}`);
    else if (text === null) others.push(file);
    else profile = { name: file.name, text };
  }
  return { profile, others, problems };
}
