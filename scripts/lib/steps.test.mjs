import { expect, test } from 'vitest';
import { Machine, SetupError } from './machine.mjs';
import { npmScript, preparation, runSteps } from './steps.mjs';
import { stubMachine } from './stubMachine.mjs';

/** @param {readonly import('./steps.mjs').Stage[]} stages */
async function run(stages, minutes = 1, cores = 2) {
  /** @type {string[]} */
  const said = [];
  const ok = await runSteps(new Machine({ say: (text) => said.push(text) }), stages, { minutes, cores });
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

/** Steps that report when they begin and end; they end once `together` of them have begun. */
function meeting(/** @type {readonly string[]} */ names, /** @type {number} */ together) {
  /** @type {string[]} */
  const events = [];
  /** @type {(value?: unknown) => void} */
  let meet = () => {};
  const met = new Promise((resolve) => {
    meet = resolve;
  });
  const steps = names.map((name) => ({
    ...tests(name, 1, name === 'bad' ? 1 : 0),
    run: async (/** @type {Machine} */ _, /** @type {boolean} */ live) => {
      events.push(name);
      if (events.length >= together) meet();
      await met;
      const failed = name === 'bad' ? 1 : 0;
      return { ok: failed === 0, passed: 1, failed, ...(live ? {} : { output: `${name} 1\n${name} 2\n` }) };
    },
  }));
  return { events, steps };
}

test('steps of a stage run side by side, each with its output in one piece', async () => {
  const { events, steps } = meeting(['lint', 'types', 'unit'], 2);
  const { ok, lines } = await run([steps, tests('e2e', 3, 0)]);
  expect(ok).toBe(true);
  expect(events).toEqual(['lint', 'types', 'unit']);
  for (const name of events) {
    const at = lines.indexOf(`── ${name}`);
    expect(lines.slice(at + 1, at + 3)).toEqual([`${name} 1`, `${name} 2`]);
    expect(lines[at + 3]).toMatch(`── ${name}: ok, `);
  }
  expect(lines.indexOf('── e2e')).toBeGreaterThan(lines.indexOf('── unit'));
  expect(lines.at(-1)).toBe('6 passed, 0 failed');
});

test('what runs beside a step that fails comes to its end, and no other step begins', async () => {
  const { events, steps } = meeting(['bad', 'types', 'unit'], 2);
  const { ok, lines } = await run([steps, tests('e2e', 3, 0)]);
  expect(ok).toBe(false);
  expect(events).toEqual(['bad', 'types']);
  expect(lines).toContain('bad failed. To run it alone: npm run bad');
  expect(lines).toContain('2 later steps did not run');
  expect(lines.at(-1)).toBe('2 passed, 1 failed');
});

test('one core runs one step at a time, and shows it', async () => {
  const { events, steps } = meeting(['lint', 'types'], 1);
  const { ok, lines } = await run([steps], 1, 1);
  expect(ok).toBe(true);
  expect(events).toEqual(['lint', 'types']);
  expect(lines.slice(0, 6)).toEqual([
    '',
    '── lint',
    expect.stringMatching(/^── lint: ok/),
    '',
    '── types',
    expect.stringMatching(/^── types: ok/),
  ]);
});

test('scripts side by side are counted, and their output is kept', async () => {
  const { machine, said } = stubMachine({
    programs: { npm: 'echo "Tests  4 passed"; [ "$3" != bad ] || { echo broken >&2; exit 1; }' },
  });
  const ok = await runSteps(machine, [[npmScript('good', 'good'), npmScript('bad', 'bad')]], { cores: 2 });
  expect(ok).toBe(false);
  expect(said).toContain('Tests  4 passed');
  expect(said).toContain('Tests  4 passed\nbroken');
  expect(said.at(-1)?.split('\n').at(-1)).toBe('8 passed, 1 failed');
});
