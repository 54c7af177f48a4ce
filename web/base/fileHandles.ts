/**
 * Handles of files that the user chose or dropped, with which the browser may open them again. Where it has none (Firefox,
 * Safari) files come without.
 */

/** What Chromium has and TypeScript's library has not. */
interface WithPicker {
  showOpenFilePicker?: (options: {
    readonly multiple: boolean;
    readonly id: string;
  }) => Promise<FileSystemFileHandle[]>;
}
interface WithHandle {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
}

const handles = new WeakMap<File, FileSystemFileHandle>();

/** The handle of a file; undefined: there is none. */
export const handleOf = (file: File): FileSystemFileHandle | undefined => handles.get(file);

/** Notes a file's handle, and gives the file back. */
export function withHandle(file: File, handle: FileSystemFileHandle): File {
  handles.set(file, handle);
  return file;
}

/** Lets the user choose files, with their handles; null: the browser has no such dialog, or does not allow it here. */
export async function pickFiles(scope: object = window): Promise<readonly File[] | null> {
  const pick = (scope as WithPicker).showOpenFilePicker;
  if (pick === undefined) return null;
  try {
    const picked = await pick.call(scope, { multiple: true, id: 'trace' });
    return await Promise.all(picked.map(async (handle) => withHandle(await handle.getFile(), handle)));
  } catch (error) {
    // The user closed the dialog.
    if (error instanceof DOMException && error.name === 'AbortError') return [];
    return null;
  }
}

/** Notes the handles of dropped files; to be called while the drop is handled. */
export function noteDropped(items: Iterable<DataTransferItem>, files: readonly File[]): void {
  const ofFiles = [...items].filter(({ kind }) => kind === 'file');
  for (const [index, item] of ofFiles.entries()) {
    const file = files[index];
    // A handle comes later than the file: by then somebody may ask for it, and finds none yet.
    void (item as WithHandle).getAsFileSystemHandle?.().then(
      (handle) => file && handle?.kind === 'file' && handles.set(file, handle as FileSystemFileHandle),
      () => undefined,
    );
  }
}
