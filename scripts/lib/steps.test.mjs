import { expect, test } from 'vitest';
import { Machine, SetupError } from './machine.mjs';
import { preparation, runSteps } from './steps.mjs';

/** @param {readonly import('./steps.mjs').Step[]} steps */
async function run(steps, minutes = 1) {
  /** @type {string[]} */
  const said = [];
  const ok = await runSteps(new Machine({ say: (text) => said.push(text) }), steps, minutes);
  return { ok, lines: said.join('\n').split('\n') };
}

/**
 * @param {string} name
 * @param {number} passed
 * @param {number} failed
 */
function tests(name, passed, failed) {
  return { name, alone: `npm run ${name}`, run: () => ({ ok: failed === 0, passed, failed }) };
}

test('runs everything and ends with the totals', async () => {
  const { ok, lines } = await run([
    preparation('packages', 'npm ci', () => {}),
    tests('unit', 12, 0),
    tests('e2e', 3, 0),
  ]);
  expect(ok).toBe(true);
  expect(lines.at(-1)).toBe('15 passed, 0 failed');
  expect(lines.filter((line) => /^(packages|unit|e2e|total) +\d+\.\d s/.test(line))).toHaveLength(4);
});

test('stops at the first failure and says how to run it alone', async () => {
  const { ok, lines } = await run([tests('unit', 12, 2), tests('e2e', 3, 0)]);
  expect(ok).toBe(false);
  expect(lines).toContain('unit failed. To run it alone: npm run unit');
  expect(lines).toContain('1 later steps did not run');
  expect(lines.at(-1)).toBe('12 passed, 2 failed');
});

test('a preparation that cannot be made is a failure with its reason', async () => {
  const { ok, lines } = await run([
    preparation('browser', 'npx playwright install chromium', () => {
      throw new SetupError('no browser', ['apt-get install chromium']);
    }),
  ]);
  expect(ok).toBe(false);
  expect(lines).toContain('no browser');
  expect(lines).toContain('    apt-get install chromium');
  expect(lines.at(-1)).toBe('0 passed, 1 failed');
});

test('a run that takes too long says so, and is no failure', async () => {
  const slow = preparation('slow', 'sleep', () => {
    const end = Date.now() + 20;
    while (Date.now() < end);
  });
  const [quick, long] = [await run([slow]), await run([slow], 0.0001)];
  expect([quick.ok, long.ok]).toEqual([true, true]);
  const warning = /^longer than 0\.0001 minutes/;
  expect(quick.lines.some((line) => /^longer than/.test(line))).toBe(false);
  expect(long.lines.some((line) => warning.test(line))).toBe(true);
});
