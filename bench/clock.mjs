/** The clock that times the stages, the same as in bench/native/src/clock.rs. */
import { readFileSync } from 'node:fs';

/**
 * Milliseconds of processor time of this thread, so that other work on the machine does not count; where the system
 * does not tell that (Linux does), milliseconds since the start.
 */
export function cpuMs() {
  try {
    // Of a thread that runs, the kernel counts on only at its ticks, 4 ms apart, and when somebody asks for the sum.
    process.cpuUsage();
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
