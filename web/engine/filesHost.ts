/** The files worker as the engine worker sees it: what it is given, and what comes back. */
import type { TraceBytes } from './blobReader';
import type { ModelReply, ModelRequest, ModelWorker } from './modelHost';
import type { FileReply, FilesQuery } from './protocol';

export interface FilesStart {
  /** As `LoadedTrace.model` returns it. */
  readonly model: Uint8Array<ArrayBuffer>;
  readonly blob: TraceBytes;
  /** How many CPUs the file has. */
  readonly cpus: number;
}

export type FilesRequest = ModelRequest<FilesStart, FilesQuery>;
export type FilesReply = ModelReply<FileReply>;
export type FilesWorker = ModelWorker<FilesStart, FilesQuery, FileReply>;
