/** Errors as values: turns anything that the engine throws into an `EngineError`. */
import type { EngineError } from './protocol';

/** An `EngineError` as an exception. */
export class EngineFailure extends Error {
  readonly error: EngineError;

  constructor(error: EngineError) {
    super(error.what);
    this.name = 'EngineFailure';
    this.error = error;
  }
}

const RELOAD = 'Open the trace again. If it happens again, please report it with the command that recorded the trace.';

const outOfMemory = (what: string): EngineError => ({
  kind: 'memory',
  what,
  where: null,
  advice:
    'Close other pages, make a file of a part of it with `corelane cut`, or record fewer events or a shorter time.',
});

/** A failure of the program, not of the file. */
export const internalError = (what: string): EngineError => ({ kind: 'internal', what, where: null, advice: RELOAD });

function isEngineError(value: unknown): value is EngineError {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, what, where, advice } = value as Record<string, unknown>;
  const isText = typeof kind === 'string' && typeof what === 'string' && typeof advice === 'string';
  return isText && (where === null || typeof where === 'string');
}

/** The wasm side throws an `EngineError` as JSON text. */
function fromJson(text: string): EngineError | null {
  try {
    const value: unknown = JSON.parse(text);
    return isEngineError(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Anything thrown, as an `EngineError`.
 *
 * A panic arrives as an `Error` with Rust's message, because the panic hook throws it. A bare wasm trap then means that
 * memory ran out: Rust aborts without a panic when an allocation fails.
 */
export function engineErrorOf(thrown: unknown): EngineError {
  if (thrown instanceof EngineFailure) return thrown.error;
  if (isEngineError(thrown)) return thrown;
  if (typeof thrown === 'string') return fromJson(thrown) ?? internalError(thrown);
  if (thrown instanceof WebAssembly.RuntimeError) {
    if (/unreachable/i.test(thrown.message)) return outOfMemory('the trace needs more memory than the browser gives');
    return internalError(`the engine stopped: ${thrown.message}`);
  }
  if (thrown instanceof RangeError && /allocation|memory|array (buffer )?length/i.test(thrown.message)) {
    return outOfMemory(`the browser gave no more memory (${thrown.message})`);
  }
  if (thrown instanceof DOMException && OF_FILES.includes(thrown.name)) return readError();
  if (thrown instanceof Error) return internalError(thrown.message);
  return internalError(String(thrown));
}

/** The message for the exceptions that browsers throw while a file is read. */
export const UNREADABLE = 'the file cannot be read any more: it was changed, moved or deleted since it was opened';

/** The file could not be read: it was changed, moved or deleted since it was chosen, or permission is missing. */
const readError = (): EngineError => ({
  kind: 'io',
  what: UNREADABLE,
  where: null,
  advice: 'Open it again from where it is now.',
});

const OF_FILES = ['NotReadableError', 'NotFoundError', 'SecurityError', 'NotAllowedError'];
