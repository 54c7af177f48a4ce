// @ts-check
// What every check of an option needs: traces with the numbers derived from their text, and figures of them.

import path from 'node:path';
import { Differences } from '../derive/differences.mjs';
import { deriveTrace } from '../derive/numbers.mjs';
import { ReportReader } from '../derive/report.mjs';
import { fixtures } from '../derive/sources.mjs';
import { ROOT } from '../lib/build.mjs';
import { draw, picture } from './figure.mjs';

/** @typedef {import('../derive/sources.mjs').Source} Source */
/** @typedef {{path: string, derived: import('../derive/numbers.mjs').DerivedTrace}} Subject */

/**
 * An unpacked trace, and what its text says.
 *
 * @param {Source} source
 * @returns {Promise<Subject & {dispose: () => void}>}
 */
export async function subject({ facts, unpack, report, printFmt }) {
  const { trace, dispose } = unpack();
  const reader = new ReportReader(Object.keys(facts.instance_event_counts ?? {}));
  await report(trace, (line) => reader.push(line));
  return { path: trace, derived: deriveTrace(reader.finish(), await printFmt(trace)), dispose };
}

export class Bench {
  /** @param {string} binary */
  constructor(binary) {
    this.binary = binary;
    this.sources = new Map(fixtures(path.join(ROOT, 'tests/fixtures')).map((source) => [source.name, source]));
    /** @type {Map<string, ReturnType<typeof subject>>} */
    this.subjects = new Map();
    this.differences = new Differences();
  }

  /**
   * A fixture.
   *
   * @param {string} name
   * @returns {Promise<Subject>}
   */
  trace(name) {
    const known = this.subjects.get(name);
    if (known) return known;
    const source = this.sources.get(name);
    if (!source) throw new Error(`no fixture ${name}`);
    const made = subject(source);
    this.subjects.set(name, made);
    return made;
  }

  /** @param {...string} args of `corelane figure` */
  picture(...args) {
    return picture(this.binary, args);
  }

  /**
   * @param {'svg' | 'pdf' | 'png'} format
   * @param {...string} args
   */
  file(format, ...args) {
    return draw(this.binary, args, format);
  }

  /**
   * @param {string} what
   * @param {unknown} expected
   * @param {unknown} actual
   */
  expect(what, expected, actual) {
    this.differences.expect(what, expected, actual);
  }

  async dispose() {
    for (const made of this.subjects.values()) (await made).dispose();
  }
}
