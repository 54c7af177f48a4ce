/**
 * The steps of `npm test`: each is timed; they run one after the other or side by side, and the first failure ends the
 * run. The end is a table, one line of totals, and a remark if it all took longer than it should.
 */
import { availableParallelism } from 'node:os';
import { SetupError } from './machine.mjs';
import { countTests } from './testCounts.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} alone The command that runs it alone.
 * @property {(machine: Machine, live: boolean) => Promise<StepResult> | StepResult} run `live`: its output is shown as
 *   it comes, instead of being left to the caller.
 */

/**
 * A step, or several that do not need each other: they run side by side, as many at once as the machine has cores, and
 * the output of each is shown as a whole when it ends.
 * @typedef {Step | readonly Step[]} Stage
 */

/**
 * @typedef {object} StepResult
 * @property {boolean} ok
 * @property {number} passed
 * @property {number} failed
 * @property {string} [output] Its output, if that was not shown.
 */

/**
 * @typedef {object} StepReport
 * @property {string} name
 * @property {number} seconds
 * @property {StepResult} result
 */

/**
 * A step that installs or builds something. It fails by throwing, and counts as no test.
 * @param {string} name
 * @param {string} alone
 * @param {(machine: Machine) => void} prepare
 * @returns {Step}
 */
export function preparation(name, alone, prepare) {
  return {
    name,
    alone,
    run: (machine) => {
      prepare(machine);
      return { ok: true, passed: 0, failed: 0 };
    },
  };
}

/**
 * A step that is one of package.json's scripts. If it has no tests to count, it counts as one test.
 * @param {string} name
 * @param {string} script
 * @param {object} [options]
 * @param {(machine: Machine) => void} [options.require] Throws when something it needs cannot be had.
 * @param {readonly string[]} [options.args]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @returns {Step}
 */
export function npmScript(name, script, { require, args = [], env = {} } = {}) {
  const passedOn = args.length > 0 ? ['--', ...args] : [];
  return {
    name,
    alone: ['npm run', script, ...passedOn].join(' '),
    run: async (machine, live) => {
      require?.(machine);
      const command = ['run', '--silent', script, ...passedOn];
      const { ok, output } = await machine.gather('npm', command, { env, show: live });
      const { passed, failed } = countTests(output);
      const unseen = live ? {} : { output };
      if (ok) return { ok, passed: Math.max(passed, 1), failed, ...unseen };
      return { ok, passed, failed: Math.max(failed, 1), ...unseen };
    },
  };
}

/**
 * Runs the steps up to the first that fails; true when none did.
 * @param {Machine} machine
 * @param {readonly Stage[]} stages
 * @param {object} [options]
 * @param {number | undefined} [options.minutes] How long they should take together. More is no failure: machines
 * differ.
 * @param {number} [options.cores]
 */
export async function runSteps(machine, stages, { minutes, cores = availableParallelism() } = {}) {
  /** @type {StepReport[]} */
  const reports = [];
  const started = Date.now();
  for (const stage of stages) {
    const steps = [stage].flat();
    const live = steps.length === 1 || cores === 1;
    const waiting = steps.values();
    const work = async () => {
      for (const step of waiting) {
        if (reports.every(({ result }) => result.ok)) reports.push(await runStep(machine, step, live));
      }
    };
    await Promise.all(Array.from({ length: Math.min(cores, steps.length) }, work));
  }
  const failed = reports.filter(({ result }) => !result.ok).map(({ name }) => name);
  for (const { name, alone } of stages.flat()) {
    if (failed.includes(name)) machine.say(`\n${name} failed. To run it alone: ${alone}`);
  }
  const seconds = (Date.now() - started) / 1000;
  machine.say(summary(reports, { seconds, planned: stages.flat().length, minutes }));
  return failed.length === 0;
}

/**
 * @param {Machine} machine
 * @param {Step} step
 * @param {boolean} live
 * @returns {Promise<StepReport>}
 */
async function runStep(machine, step, live) {
  if (live) machine.say(`\n── ${step.name}`);
  const started = Date.now();
  const result = await attempt(machine, step, live);
  const seconds = (Date.now() - started) / 1000;
  if (!live) machine.say(`\n── ${step.name}`);
  if (result.output) machine.say(result.output.trimEnd());
  machine.say(`── ${step.name}: ${result.ok ? 'ok' : 'FAILED'}, ${seconds.toFixed(1)} s`);
  return { name: step.name, seconds, result };
}

/**
 * @param {Machine} machine
 * @param {Step} step
 * @param {boolean} live
 * @returns {Promise<StepResult>}
 */
async function attempt(machine, step, live) {
  try {
    return await step.run(machine, live);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    machine.say(error.message);
    return { ok: false, passed: 0, failed: 1 };
  }
}

/**
 * @param {readonly StepReport[]} reports
 * @param {{seconds: number, planned: number, minutes: number | undefined}} whole
 */
function summary(reports, { seconds, planned, minutes = Number.POSITIVE_INFINITY }) {
  const width = Math.max(...reports.map(({ name }) => name.length), 'total'.length);
  const row = (/** @type {string} */ name, /** @type {number} */ seconds, /** @type {string} */ note) =>
    `${name.padEnd(width)}  ${seconds.toFixed(1).padStart(7)} s  ${note}`.trimEnd();
  const counted = (/** @type {StepResult} */ { passed, failed }) =>
    [passed > 0 ? `${passed} passed` : '', failed > 0 ? `${failed} failed` : ''].filter(Boolean).join(', ');
  const total = (/** @type {(result: StepResult) => number} */ of) =>
    reports.reduce((sum, { result }) => sum + of(result), 0);
  const lines = [
    '',
    ...reports.map(({ name, seconds, result }) => row(name, seconds, counted(result))),
    // This is less than the sum of the steps if some ran side by side.
    row('total', seconds, ''),
  ];
  if (seconds > 60 * minutes) {
    lines.push(`longer than ${minutes} minutes, which is what this should take on two cores with warm caches`);
  }
  const skipped = planned - reports.length;
  if (skipped > 0) lines.push(`${skipped} later steps did not run`);
  lines.push('', `${total(({ passed }) => passed)} passed, ${total(({ failed }) => failed)} failed`);
  return lines.join('\n');
}
