/** Subjects of commits: `area: do the thing`, at most 72 characters. CONTRIBUTING.md has examples. */
import { SetupError } from './machine.mjs';

const LONGEST = 72;

/** First words that are no verbs, as far as earlier subjects began with them. */
const NO_VERBS = new Set(
  (
    'a after all also an and another any are as at before behind between both but by each every for from has how if ' +
    'in into is it its less many more most new no not of on one only or other others some that the their there they ' +
    'this those three to two was what whatever when where whether which while who whole whose why wip with without'
  ).split(' '),
);

/** Imperatives with the endings of other forms. */
const VERBS = new Set(['bring', 'embed', 'feed', 'focus', 'need', 'seed', 'speed']);

/**
 * What is wrong with a subject, or undefined.
 * @param {string} subject
 * @returns {string | undefined}
 */
export function subjectFault(subject) {
  // Written by `git revert`.
  if (/^Revert ".+"$/.test(subject)) return undefined;
  const parts = /^[a-z][\w.-]*(?:, [a-z][\w.-]*)*: (.+)$/.exec(subject);
  if (!parts?.[1]) return 'has no area: expected `area: do the thing`';
  if (subject.length > LONGEST) return `has ${subject.length} characters, at most ${LONGEST} are allowed`;
  if (subject.endsWith('.')) return 'ends with a full stop';
  const word = /^[a-z-]+(?= |$)/.exec(parts[1])?.[0];
  if (word === undefined) return 'does not begin with a verb in lower case';
  if (!isImperative(word)) return `begins with "${word}", which is no imperative`;
  return undefined;
}

/** @param {string} word */
function isImperative(word) {
  if (VERBS.has(word)) return true;
  return !NO_VERBS.has(word) && !/(?:[^s]s|ed|ing)$/.test(word);
}

/**
 * Throws if a commit of the range has a subject against the rule. Merges are left out: git writes their subjects.
 *
 * Without a base, the range is what no remote has: these commits can still be worded anew. A clone without remotes, or
 * a folder without git, has no such range.
 * @param {import('./machine.mjs').Machine} machine
 * @param {string} [base] A revision; only later commits are checked.
 */
export function checkSubjects(machine, base) {
  const range = base === undefined ? unpublished(machine) : [`${base}..HEAD`];
  if (range === undefined) return machine.say('no remote, so no commit is known to be new');
  const { ok, out, err } = machine.capture('git', ['log', '--no-merges', '--format=%h %s', ...range, '--']);
  if (!ok) throw new SetupError(`cannot list the commits of ${range.join(' ')}: ${err}`);
  const commits = out.split('\n').filter(Boolean);
  const faults = commits.flatMap((line) => {
    const [, hash, subject] = /^(\S+) ?(.*)$/.exec(line) ?? [];
    const fault = subjectFault(subject ?? '');
    return fault === undefined ? [] : [`${hash} ${fault}: ${subject}`];
  });
  if (faults.length > 0) {
    throw new SetupError('subjects of commits are `area: do the thing` (CONTRIBUTING.md):', faults);
  }
  machine.say(`${commits.length} new commits, whose subjects are well formed`);
}

/** @param {import('./machine.mjs').Machine} machine */
function unpublished(machine) {
  const { ok, out } = machine.capture('git', ['for-each-ref', '--count=1', 'refs/remotes']);
  return ok && out !== '' ? ['HEAD', '--not', '--remotes'] : undefined;
}
