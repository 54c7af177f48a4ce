// @ts-check
// The program under test: the native `corelane` binary, used as any script would use it.

import { spawn } from 'node:child_process';

const TEXT = Buffer.from('{"text":"');
const [LINE_END, BACKSLASH, LETTER_N] = [...'\n\\n'].map((char) => char.charCodeAt(0));

/** `corelane batch`: one trace, loaded once for all questions, which are asked one after the other. */
export class Batch {
  #child;
  #chunks;
  /** The beginning of the next answer. @type {Buffer} */
  #rest = Buffer.alloc(0);
  #complaint = '';

  /**
   * @param {string} binary
   * @param {string} trace
   */
  constructor(binary, trace) {
    this.#child = spawn(binary, ['batch', trace]);
    this.#child.stderr.on('data', (data) => {
      this.#complaint += data;
    });
    // If the program has ended, there will be no answer, and that is reported.
    this.#child.stdin.on('error', () => {});
    this.#chunks = this.#child.stdout[Symbol.asyncIterator]();
  }

  /** Ends the program. */
  close() {
    this.#child.stdin.end();
  }

  /**
   * What a command prints with `--json`. Integers beyond what a double holds become bigints.
   *
   * @param {string} command
   * @param {...string} args
   * @returns {Promise<any>}
   */
  async json(command, ...args) {
    const words = [command, ...args, '--json'];
    const { json, error } = parseJson((await this.#ask(words)).toString());
    if (json === undefined) throw new Error(`${words.join(' ')}: ${error}`);
    return json;
  }

  /**
   * What a command prints.
   *
   * @param {...string} words
   * @returns {Promise<string>}
   */
  async text(...words) {
    const { text, error } = JSON.parse((await this.#ask(words)).toString());
    if (text === undefined) throw new Error(`${words.join(' ')}: ${error}`);
    return text;
  }

  /**
   * Passes on the lines that a command prints, which may be more than fit into a string.
   *
   * @param {(line: string) => void} push
   * @param {...string} words
   */
  async lines(push, ...words) {
    const answer = await this.#ask(words);
    if (!answer.subarray(0, TEXT.length).equals(TEXT)) throw new Error(`${words.join(' ')}: ${answer}`);
    let start = TEXT.length;
    for (let at = answer.indexOf(BACKSLASH, start); at !== -1; at = answer.indexOf(BACKSLASH, at + 2)) {
      if (answer[at + 1] !== LETTER_N) continue;
      const line = answer.toString('utf8', start, at);
      push(line.includes('\\') ? JSON.parse(`"${line}"`) : line);
      start = at + 2;
    }
  }

  /** The line that answers a question. @param {string[]} words */
  async #ask(words) {
    this.#child.stdin.write(`${JSON.stringify(words)}\n`);
    const chunks = [this.#rest];
    for (let chunk = this.#rest; ; ) {
      const end = chunk.indexOf(LINE_END);
      if (end !== -1) {
        chunks[chunks.length - 1] = chunk.subarray(0, end);
        this.#rest = chunk.subarray(end + 1);
        return Buffer.concat(chunks);
      }
      const { value, done } = await this.#chunks.next();
      if (done) throw new Error(`${words.join(' ')}: no answer\n${this.#complaint}`);
      chunk = value;
      chunks.push(chunk);
    }
  }
}

/** @param {string} text */
export function parseJson(text) {
  const mark = '\u0000bigint:';
  // Strings and numbers are matched whole, so that digits inside strings stay as they are.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? JSON.stringify(mark + token) : token,
  );
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}
