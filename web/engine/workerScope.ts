/** The part of a dedicated worker's global scope that is used: the page's types, which we compile with, lack it. */
export interface WorkerScope<Received, Sent> {
  onmessage: ((event: MessageEvent<Received>) => void) | null;
  postMessage(message: Sent, transfer: Transferable[]): void;
}
