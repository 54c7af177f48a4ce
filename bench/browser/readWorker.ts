/** Reads a part of a file as scan workers do, and does nothing with it. */
import { streamBytes } from '../../web/engine/blobReader';

/** A worker that is ready has read nothing. */
export type Read = { readonly bytes: number } | { readonly error: string };

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Blob>) => void) | null;
  postMessage(read: Read): void;
};

async function read(part: Blob): Promise<Read> {
  let bytes = 0;
  try {
    await streamBytes(part, (piece) => {
      bytes += piece.byteLength;
    });
  } catch (error) {
    return { error: `${error}` };
  }
  return { bytes };
}

scope.onmessage = async ({ data }) => scope.postMessage(await read(data));
scope.postMessage({ bytes: 0 });
