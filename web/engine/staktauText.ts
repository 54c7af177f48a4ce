/** Texts of STaKTAU, another profiler of system calls, which are files of their own and no traces. */
import { internalError } from './errors';
import type { StaktauReply } from './protocol';

/** How many bytes tell whether it is worth to look at a file. */
const HEAD = 64;
/** Every such text begins so; what is one is for its reader to say. */
const MAY_BE = /^\s*(?:----- TID |[01] \w+\()/;

/** Reads a file that may be such a text; a file that cannot be looked at is none. */
export async function readStaktau(file: File): Promise<StaktauReply> {
  const head = await file
    .slice(0, HEAD)
    .text()
    .catch(() => '');
  if (!MAY_BE.test(head)) return { text: null, error: null };
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./staktauWorker.ts', import.meta.url), {
      type: 'module',
      name: 'corelane staktau',
    });
    const end = (reply: StaktauReply): void => {
      worker.terminate();
      resolve(reply);
    };
    worker.onmessage = ({ data }: MessageEvent<StaktauReply>) => end(data);
    worker.onerror = (event) => {
      event.preventDefault();
      end({ text: null, error: internalError(`the text could not be read: ${event.message}`) });
    };
    worker.postMessage(file);
  });
}
