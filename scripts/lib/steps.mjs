/**
 * The steps of `npm test`: each timed, the first failure ends the run, a table and one line of totals at the end, and a
 * word where it all took longer than it should.
 */
import { SetupError } from './machine.mjs';
import { countTests } from './testCounts.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} alone The command that runs it alone.
 * @property {(machine: Machine) => Promise<StepResult> | StepResult} run
 */

/**
 * @typedef {object} StepResult
 * @property {boolean} ok
 * @property {number} passed
 * @property {number} failed
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
    run: async (machine) => {
      require?.(machine);
      const { ok, output } = await machine.tee('npm', ['run', '--silent', script, ...passedOn], { env });
      const { passed, failed } = countTests(output);
      if (ok) return { ok, passed: Math.max(passed, 1), failed };
      return { ok, passed, failed: Math.max(failed, 1) };
    },
  };
}

/**
 * Runs the steps up to the first that fails; true when none did.
 * @param {Machine} machine
 * @param {readonly Step[]} steps
 * @param {number} [minutes] What they may take together. More is no failure: machines differ.
 */
export async function runSteps(machine, steps, minutes) {
  /** @type {StepReport[]} */
  const reports = [];
  for (const step of steps) {
    machine.say(`\n── ${step.name}`);
    const started = Date.now();
    const result = await attempt(machine, step);
    const seconds = (Date.now() - started) / 1000;
    reports.push({ name: step.name, seconds, result });
    machine.say(`── ${step.name}: ${result.ok ? 'ok' : 'FAILED'}, ${seconds.toFixed(1)} s`);
    if (!result.ok) {
      machine.say(`\n${step.name} failed. To run it alone: ${step.alone}`);
      break;
    }
  }
  const { ok, text } = summary(reports, steps.length, minutes);
  machine.say(text);
  return ok;
}

/**
 * @param {Machine} machine
 * @param {Step} step
 * @returns {Promise<StepResult>}
 */
async function attempt(machine, step) {
  try {
    return await step.run(machine);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    machine.say(error.message);
    return { ok: false, passed: 0, failed: 1 };
  }
}

/**
 * @param {readonly StepReport[]} reports
 * @param {number} planned
 * @param {number} [minutes]
 */
function summary(reports, planned, minutes = Number.POSITIVE_INFINITY) {
  const width = Math.max(...reports.map(({ name }) => name.length), 'total'.length);
  const row = (/** @type {string} */ name, /** @type {number} */ seconds, /** @type {string} */ note) =>
    `${name.padEnd(width)}  ${seconds.toFixed(1).padStart(7)} s  ${note}`.trimEnd();
  const counted = (/** @type {StepResult} */ { passed, failed }) =>
    [passed > 0 ? `${passed} passed` : '', failed > 0 ? `${failed} failed` : ''].filter(Boolean).join(', ');
  const total = (/** @type {(report: StepReport) => number} */ of) =>
    reports.reduce((sum, report) => sum + of(report), 0);
  const took = total(({ seconds }) => seconds);
  const lines = [
    '',
    ...reports.map(({ name, seconds, result }) => row(name, seconds, counted(result))),
    row('total', took, ''),
  ];
  if (took > 60 * minutes) {
    lines.push(`longer than ${minutes} minutes, which is what this should take on two cores with warm caches`);
  }
  const skipped = planned - reports.length;
  if (skipped > 0) lines.push(`${skipped} later steps did not run`);
  lines.push('', `${total(({ result }) => result.passed)} passed, ${total(({ result }) => result.failed)} failed`);
  return { ok: reports.every(({ result }) => result.ok), text: lines.join('\n') };
}
