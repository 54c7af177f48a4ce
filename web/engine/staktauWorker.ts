/** Reads one text of STaKTAU; it ends when the page ends it. */
import init, { readStaktau } from '../wasm/io';
import { BlockReader } from './blobReader';
import { engineErrorOf } from './errors';
import type { StaktauReply, StaktauText } from './protocol';
import { compileIo } from './wasmModule';

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<File>) => void) | null;
  postMessage(reply: StaktauReply): void;
};

scope.onmessage = ({ data }) => void read(data);

async function read(file: File): Promise<void> {
  try {
    await init({ module_or_path: await compileIo() });
    const json = readStaktau(new BlockReader(file));
    const text: StaktauText | null = json === undefined ? null : JSON.parse(json);
    scope.postMessage({ text, error: null });
  } catch (error) {
    scope.postMessage({ text: null, error: engineErrorOf(error) });
  }
}
