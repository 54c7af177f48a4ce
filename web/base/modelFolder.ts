/** The folder of models in the browser's storage for this page (OPFS): the engine's worker uses it, the page empties it. */

/** What the engine's worker does with it; a test stands in for it. */
export interface ModelFolder {
  /** The file of that name, to be read or written by nobody else; null: there is none, or somebody else has it. */
  open(name: string, create: boolean): Promise<ModelFile | null>;
  remove(name: string): Promise<void>;
  list(): Promise<readonly StoredModel[]>;
  /** Bytes that models may take together. */
  room(): Promise<number>;
}

export interface StoredModel {
  readonly name: string;
  readonly size: number;
  /** When it was written, in ms. */
  readonly written: number;
}

/** The part of `FileSystemSyncAccessHandle` that is used. */
export interface ModelFile {
  getSize(): number;
  read(bytes: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

const FOLDER = 'models';
/** The share of what the browser allows this page that models may take. */
const SHARE = 0.5;

/** Workers have it; the page's types do not. */
type SyncFileHandle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<ModelFile> };

async function handle(create: boolean): Promise<FileSystemDirectoryHandle | null> {
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle(FOLDER, { create });
  } catch {
    // No such storage here (a page without https, a private window), or nothing was stored.
    return null;
  }
}

/** For the engine's worker: pages cannot open files in this way. */
export const modelFolder: ModelFolder = {
  async open(name, create) {
    try {
      const folder = await handle(create);
      const file = (await folder?.getFileHandle(name, { create })) as SyncFileHandle | undefined;
      return (await file?.createSyncAccessHandle()) ?? null;
    } catch {
      return null;
    }
  },

  async remove(name) {
    try {
      await (await handle(false))?.removeEntry(name);
    } catch {
      // It is open elsewhere, or gone.
    }
  },

  list: storedModels,

  async room() {
    try {
      const { quota = 0, usage = 0 } = await navigator.storage.estimate();
      const models = (await storedModels()).reduce((sum, { size }) => sum + size, 0);
      return Math.max(0, (quota - usage + models) * SHARE);
    } catch {
      return 0;
    }
  },
};

/** The models that are stored. */
export async function storedModels(): Promise<StoredModel[]> {
  const models: StoredModel[] = [];
  try {
    const folder = await handle(false);
    for await (const entry of folder?.values() ?? []) {
      if (entry.kind !== 'file') continue;
      const { size, lastModified } = await (entry as FileSystemFileHandle).getFile();
      models.push({ name: entry.name, size, written: lastModified });
    }
  } catch {
    // One went meanwhile: what was found so far is enough.
  }
  return models;
}

/** Removes all models. */
export async function forgetModels(): Promise<void> {
  for (const { name } of await storedModels()) await modelFolder.remove(name);
}
