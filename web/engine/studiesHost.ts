/** Questions about whole traces as the engine worker sees them: the first one starts a worker with a copy of the model. */
import type { ModelWorker } from './modelHost';
import type { StudyQuery, StudyReply } from './protocol';

export interface StudiesStart {
  /** As `LoadedTrace.model` returns it. */
  readonly model: Uint8Array<ArrayBuffer>;
}

export type StudiesWorker = ModelWorker<StudiesStart, StudyQuery, StudyReply>;
