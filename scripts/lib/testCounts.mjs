/** Counts passed and failed tests from the output of the test runners. */
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{passed: number, failed: number}} Counts */

/**
 * `cargo test` prints a line for each test program; vitest, Node's runner and our own print one line; Playwright prints
 * a line for each outcome. A test that Playwright had to repeat has not passed.
 */
const PATTERNS = {
  passed: [
    /^test result: .*? (\d+) passed/gm,
    /^ *Tests +.*?(\d+) passed/gm,
    /^ +(\d+) passed(?: \(|$)/gm,
    /^(?:ℹ|#) pass (\d+)$/gm,
    /^(\d+) passed, \d+ failed$/gm,
  ],
  failed: [
    /^test result: .*? (\d+) failed/gm,
    /^ *Tests +.*?(\d+) failed/gm,
    /^ +(\d+) (?:failed|flaky|interrupted)$/gm,
    /^(?:ℹ|#) fail (\d+)$/gm,
    /^\d+ passed, (\d+) failed$/gm,
  ],
};

/**
 * @param {string} output
 * @returns {Counts}
 */
export function countTests(output) {
  const text = stripVTControlCharacters(output);
  return { passed: sum(text, PATTERNS.passed), failed: sum(text, PATTERNS.failed) };
}

/**
 * @param {string} text
 * @param {readonly RegExp[]} patterns
 */
function sum(text, patterns) {
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .reduce((total, match) => total + Number(match[1]), 0);
}
