// @ts-check
// Compares two texts line by line. They may be of any length: only some lines of each are in memory.

/** How many lines to look ahead for the place where two texts agree again. */
const LOOK_AHEAD = 40;

/**
 * @typedef {object} Difference
 * @property {number} line of the expected text, from 1
 * @property {string | null} expected null: there is a line too many
 * @property {string | null} actual null: the line is missing
 * @property {string} event the event to which the line belongs
 */

/**
 * The lines of a stream of bytes. Text is read as Latin-1, a character for each byte, because records hold any bytes.
 */
class Lines {
  /** @type {string[]} */
  #lines = [];
  #at = 0;
  #rest = '';
  #chunks;
  done = false;

  /** @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} chunks */
  constructor(chunks) {
    this.#chunks = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  }

  get count() {
    return this.#lines.length - this.#at;
  }

  /** @param {number} index */
  line(index) {
    return this.#lines[this.#at + index];
  }

  /** @param {number} count */
  skip(count) {
    this.#at += count;
  }

  /** Reads on until there are this many lines, or no more. */
  async fill(/** @type {number} */ count) {
    if (this.count >= count || this.done) return;
    this.#lines.splice(0, this.#at);
    this.#at = 0;
    while (this.#lines.length < count && !this.done) {
      const { value, done } = await this.#chunks.next();
      if (done) {
        this.done = true;
        if (this.#rest !== '') this.#lines.push(this.#rest);
        return;
      }
      const lines = (this.#rest + Buffer.from(value).toString('latin1')).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#lines.push(line);
    }
  }
}

/**
 * Passes on every difference; returns the number of lines of the expected text.
 *
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} expectedText
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} actualText
 * @param {(difference: Difference) => void} push
 */
export async function compareTexts(expectedText, actualText, push) {
  const [expected, actual] = [new Lines(expectedText), new Lines(actualText)];
  let line = 0;
  let event = '';
  /** @param {string | null} left @param {string | null} right */
  const differ = (left, right) => {
    if (left !== null) event = eventOf(left) ?? event;
    push({ line, expected: left, actual: right, event: left === null ? (eventOf(right ?? '') ?? event) : event });
  };
  for (;;) {
    await expected.fill(LOOK_AHEAD * 2);
    await actual.fill(LOOK_AHEAD * 2);
    if (expected.count === 0 && actual.count === 0) return line;
    // Skips equal lines as long as there are enough to look ahead.
    while (ready(expected) && ready(actual)) {
      if (expected.count === 0 && actual.count === 0) break;
      if (expected.count > 0 && actual.count > 0 && expected.line(0) === actual.line(0)) {
        event = eventOf(expected.line(0)) ?? event;
        line++;
        expected.skip(1);
        actual.skip(1);
        continue;
      }
      const [missing, extra] = agreement(expected, actual);
      for (let index = 0; index < Math.max(missing, extra); index++) {
        if (index < missing) line++;
        differ(index < missing ? expected.line(index) : null, index < extra ? actual.line(index) : null);
      }
      expected.skip(missing);
      actual.skip(extra);
    }
  }
}

/** @param {Lines} lines */
function ready(lines) {
  return lines.done || lines.count > LOOK_AHEAD;
}

/**
 * How many lines each text has before they agree again; one of each if they do not.
 *
 * @param {Lines} expected
 * @param {Lines} actual
 */
function agreement(expected, actual) {
  if (expected.count === 0) return [0, actual.count];
  if (actual.count === 0) return [expected.count, 0];
  for (let both = 1; both < LOOK_AHEAD; both++) {
    // The likeliest is as many lines of each.
    for (let more = 0; more <= both; more++) {
      if (agree(expected, both - more, actual, both)) return [both - more, both];
      if (agree(expected, both, actual, both - more)) return [both, both - more];
    }
  }
  return [1, 1];
}

/** @param {Lines} expected @param {number} left @param {Lines} actual @param {number} right */
function agree(expected, left, actual, right) {
  return left < expected.count && right < actual.count && expected.line(left) === actual.line(right);
}

/**
 * The event with which a line begins; nothing for further lines of an event's text.
 *
 * @param {string} line
 */
export function eventOf(line) {
  return /\d: +([^\s:]+):(?: |$)/.exec(line)?.[1];
}
