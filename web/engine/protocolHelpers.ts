/** What the engine worker and the page say about the engine worker's own workers (`helperWorker.ts`). */

export type HelperKind = 'scan' | 'events' | 'seek' | 'figures' | 'calls' | 'files' | 'studies';

/** What the engine worker asks of the page. */
export type HelperMessage =
  /** The worker's first message is `port`, by which it talks to the engine worker. */
  | {
      readonly type: 'startHelper';
      readonly id: number;
      readonly kind: HelperKind;
      readonly name: string;
      readonly port: MessagePort;
    }
  | { readonly type: 'endHelper'; readonly id: number };

/** What the page tells of a worker that it started: its script cannot be had, or threw something. */
export interface HelperFailed {
  readonly type: 'helperFailed';
  readonly id: number;
  readonly what: string;
}
