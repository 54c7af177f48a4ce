import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkSubjects, subjectFault } from './commitSubjects.mjs';
import { Machine } from './machine.mjs';

test.each([
  'query: build interval answers in one function',
  'schedindex, schedquery: store sums in blocks',
  'cli: compress the sample',
  `docs: ${'a'.repeat(66)}`,
  'Revert "query: build interval answers in one function"',
])('%s is a subject', (subject) => expect(subjectFault(subject)).toBeUndefined());

test.each([
  ['wip', 'has no area'],
  ['Add a lens', 'has no area'],
  ['docs: ', 'has no area'],
  [`docs: ${'a'.repeat(67)}`, 'has 73 characters'],
  ['docs: name the subject.', 'ends with a full stop'],
  ['docs: Name the subject', 'does not begin with a verb in lower case'],
  ['docs: a row says of what it is', 'begins with "a"'],
  ['what a last reading found: work in turns is said once', 'has no area'],
  ['page: lanes keep their colours', 'begins with "lanes"'],
  ['page: added a lens', 'begins with "added"'],
  ['page: adding a lens', 'begins with "adding"'],
])('"%s" %s', (subject, fault) => expect(subjectFault(subject)).toContain(fault));

/** A repository with a commit for each subject, and a way to clone it. */
function repository() {
  const folder = mkdtempSync(join(tmpdir(), 'corelane-subjects-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'a'],
        [`GIT_${who}_EMAIL`, 'a@example.org'],
      ]),
    ),
  };
  const git = (/** @type {string} */ repo, /** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: join(folder, repo), env, encoding: 'utf8' }).trim();
  const commit = (/** @type {string} */ repo, /** @type {string} */ subject) =>
    git(repo, 'commit', '--quiet', '--allow-empty', '--message', subject);
  /** @type {string[]} */
  const said = [];
  const machine = (/** @type {string} */ repo) =>
    new Machine({ repo: join(folder, repo), say: (text) => said.push(text) });
  git('', 'init', '--quiet', 'origin');
  commit('origin', 'what an early reading found');
  commit('origin', 'page: lanes keep their colours');
  return { folder, git, commit, machine, said };
}

test('what a remote has is not checked, what is new is', () => {
  const { folder, git, commit, machine, said } = repository();
  for (const depth of [[], ['--depth', '1']]) {
    git('', 'clone', '--quiet', ...depth, `file://${folder}/origin`, 'clone');
    checkSubjects(machine('clone'));
    commit('clone', 'page: keep the colours of lanes');
    checkSubjects(machine('clone'));
    commit('clone', 'more');
    expect(() => checkSubjects(machine('clone'))).toThrow(/ {4}[0-9a-f]+ has no area: .*: more$/);
    rmSync(join(folder, 'clone'), { recursive: true });
  }
  expect(said.map((line) => line.split(' ')[0])).toEqual(['0', '1', '0', '1']);
});

test('a base bounds what is checked, merges are left out', () => {
  const { git, commit, machine, said } = repository();
  const base = git('origin', 'rev-parse', 'HEAD');
  git('origin', 'checkout', '--quiet', '-b', 'side');
  commit('origin', 'page: keep the colours of lanes');
  git('origin', 'checkout', '--quiet', '-');
  git('origin', 'merge', '--quiet', '--no-ff', 'side', '--message', 'Merge of a side branch');
  checkSubjects(machine('origin'), base);
  expect(said).toEqual(['1 new commits, whose subjects are well formed']);
  expect(() => checkSubjects(machine('origin'), `${base}~1`)).toThrow('begins with "lanes"');
  expect(() => checkSubjects(machine('origin'), 'nothing')).toThrow('cannot list the commits of nothing..HEAD');
});

test('without remotes or without git nothing is checked', () => {
  const { machine, said } = repository();
  checkSubjects(machine('origin'));
  checkSubjects(machine(''));
  expect(said).toEqual(Array(2).fill('no remote, so no commit is known to be new'));
});
