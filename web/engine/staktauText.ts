/** Texts of STaKTAU, another profiler of system calls, which are files of their own and no traces. */
import { internalError } from './errors';
import type { StaktauReply } from './protocol';
import script from './staktauWorker?worker&url';

/** Reads a file that may be such a text, in a worker that is there for it. */
export function readStaktau(file: File): Promise<StaktauReply> {
  return new Promise((resolve) => {
    const worker = new Worker(script, { type: 'module', name: 'corelane staktau' });
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
