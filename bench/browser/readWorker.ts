/** Reads a part of a file as scan workers do, and does nothing with it. */
import { streamBytes } from '../../web/engine/blobReader';

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Blob>) => void) | null;
  postMessage(bytes: number): void;
};

scope.onmessage = async ({ data }) => {
  let bytes = 0;
  await streamBytes(data, (piece) => {
    bytes += piece.byteLength;
  });
  scope.postMessage(bytes);
};
