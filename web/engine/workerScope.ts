/** The part of a dedicated worker's global scope that is used: the page's types, which we compile with, lack it. */
export interface WorkerScope<Received, Sent> {
  onmessage: ((event: MessageEvent<Received>) => void) | null;
  postMessage(message: Sent, transfer: Transferable[]): void;
}

/** The same for a worker of the engine worker (`helperWorker.ts`): its messages go through the port that comes first. */
export function helperScope<Received, Sent>(): WorkerScope<Received, Sent> {
  let port: MessagePort | null = null;
  const scope: WorkerScope<Received, Sent> = {
    onmessage: null,
    postMessage: (message, transfer) => port?.postMessage(message, transfer),
  };
  (self as unknown as WorkerScope<MessagePort, never>).onmessage = ({ data }) => {
    port = data;
    port.onmessage = (event) => scope.onmessage?.(event);
  };
  return scope;
}
