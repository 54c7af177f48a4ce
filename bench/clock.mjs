/** The clock of the stages, as bench/native/src/clock.rs has it. */
import { readFileSync } from 'node:fs';

/**
 * Milliseconds of processor time that this thread has had, so that what else runs on the machine does not count; where the
 * system does not tell (Linux does), milliseconds since the start.
 */
export function cpuMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
