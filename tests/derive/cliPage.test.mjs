// @ts-check
// docs/cli lists every command, option and JSON field of the program, and no others.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { build, ROOT } from '../lib/build.mjs';
import { scratchFile, unpack } from '../lib/traceFiles.mjs';
import { parseJson } from './corelane.mjs';

/**
 * A field as a row of a table of the page.
 *
 * @typedef {object} Field
 * @property {string} type
 * @property {boolean} nullable
 * @property {string | undefined} only the option that it depends on
 * @property {string | undefined} never the option that leaves it out
 * @property {boolean} some whether only some objects have it
 * @property {string[]} words those in backticks in its description
 */

/**
 * A value's place: its own row, if it has one, and the rows below it.
 *
 * @typedef {object} Place
 * @property {Field} [field]
 * @property {Map<string, Place>} below by name; `[]` are the elements of a list
 */

/** @type {Record<string, (value: unknown) => boolean>} */
const SCALARS = {
  int: Number.isSafeInteger,
  cpu: Number.isSafeInteger,
  ns: isInteger,
  time: isInteger,
  'task ns': isInteger,
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
};

/** @param {unknown} value */
function isInteger(value) {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

const FOLDER = path.join(ROOT, 'docs/cli');
/** Pages of docs/cli that are of no single command. */
const GENERAL = ['README', 'filters'];
const pages = new Map(
  readdirSync(FOLDER).map((file) => [path.basename(file, '.md'), readFileSync(path.join(FOLDER, file), 'utf8')]),
);
const figuresPage = readFileSync(path.join(ROOT, 'docs/figures.md'), 'utf8');
/** Text by heading, without the headings below it; a command's is `corelane NAME` at the top of its page. */
const sections = new Map(
  [...pages.values()].flatMap((page) =>
    page
      .split(/^#+ /m)
      .slice(1)
      .map((section) => /** @type {[string, string]} */ ([section.split('\n', 1)[0], section])),
  ),
);

/** @param {string} name a heading, or a command */
function section(name) {
  const text = sections.get(pages.has(name) ? `corelane ${name}` : name);
  assert.ok(text, `docs/cli has no section "${name}"`);
  return text;
}

/**
 * The fields of a section's table.
 *
 * @param {string} name
 * @returns {Place}
 */
function fieldsOf(name) {
  /** @type {Place} */
  const root = { below: new Map() };
  for (const [, names, type, meaning] of section(name).matchAll(/^\| (`[^|]+`) \| ([^|]+) \| (.*)\|$/gm)) {
    const parts = /^([a-z ]+)(\??)(?:, (not )?with (--[a-z -]+)|, (in some))?$/.exec(type.trim());
    assert.ok(parts, `${name}: the type "${type}" of ${names} is not understood`);
    const [, kind, nullable, not, option, some] = parts;
    for (const [, field] of names.matchAll(/`([^`]+)`/g)) {
      let place = root;
      for (const step of field.match(/\[\]|[^.[\]]+/g) ?? []) {
        const next = place.below.get(step) ?? { below: new Map() };
        place.below.set(step, next);
        place = next;
      }
      assert.ok(!place.field, `${name}: ${field} has two rows`);
      place.field = {
        type: kind,
        nullable: nullable !== '',
        only: not ? undefined : option,
        never: not ? option : undefined,
        some: some !== undefined,
        words: [...meaning.matchAll(/`([^`]+)`/g)].map(([, word]) => word),
      };
    }
  }
  return root;
}

const shapes = new Map(
  ['task', 'run', 'spread', 'measured', 'waits', 'runs', 'end', 'matrix', 'shift'].map((name) => [
    name,
    fieldsOf(`Shape \`${name}\``),
  ]),
);

/**
 * @param {Place} place
 * @param {string} args
 * @returns {boolean} whether the program prints it when it is called like this
 */
function printed({ field, below }, args) {
  if (field) return !(field.only && !args.includes(field.only)) && !(field.never && args.includes(field.never));
  return [...below.values()].some((place) => printed(place, args));
}

/**
 * Compares a value, and everything in it, with its place on the page.
 *
 * @param {any} value
 * @param {Place} place
 * @param {string} at for messages
 * @param {string} args
 * @param {Set<Place>} seen receives the places that had a value
 */
function compare(value, place, at, args, seen) {
  const { field } = place;
  if (value === null) {
    assert.ok(field?.nullable, `${at} is null, which the page does not say`);
    return;
  }
  const shape = field && shapes.get(field.type);
  const below = new Map([...(shape?.below ?? []), ...place.below]);
  const elements = below.get('[]');
  if (elements) {
    assert.ok(Array.isArray(value), `${at} is no list`);
    for (const element of value) compare(element, elements, `${at}[]`, args, seen);
    return;
  }
  seen.add(place);
  if (below.size > 0) {
    const isThere = (/** @type {string} */ name, /** @type {Place} */ next) =>
      next.field?.some ? name in value : printed(next, args);
    const expected = [...below].filter(([name, next]) => isThere(name, next)).map(([name]) => name);
    assert.deepEqual(Object.keys(value).sort(), expected.sort(), `the fields of ${at || 'the answer'}`);
    for (const [name, next] of below) if (name in value) compare(value[name], next, `${at}.${name}`, args, seen);
  } else if (field?.type === 'word') {
    assert.ok(field.words.includes(value), `${at} is "${value}", which is none of the page's words`);
  } else if (field?.type === 'counts') {
    for (const count of Object.values(value)) assert.ok(Number.isSafeInteger(count), at);
  } else if (field?.type === 'sums') {
    for (const of of Object.values(value)) {
      assert.deepEqual(Object.keys(of), field.words, at);
      assert.ok(Object.values(of).every(isInteger), at);
    }
  } else {
    const holds = SCALARS[field?.type ?? ''];
    assert.ok(holds, `the page's type of ${at} is not understood`);
    assert.ok(holds(value), `${at} is ${value}, and no ${field?.type}`);
  }
}

/**
 * The places that hold values, by path.
 *
 * @param {Place} place
 * @param {string} [at]
 * @returns {[string, Place][]}
 */
function leaves(place, at = '') {
  if (place.below.size === 0) return [[at, place]];
  return [...place.below].flatMap(([name, next]) =>
    leaves(next, at === '' || name === '[]' ? at + name : `${at}.${name}`),
  );
}

const corelane = build('tracecore-cli', 'corelane');
const fixtures = ['barrier32-badplace', 'lost-s390x', 'execthread-4cpu', 'sysmix-4cpu', 'scx-lab-fifo-4cpu'];
const files = fixtures.map((name) => unpack(path.join(ROOT, 'tests/fixtures'), name));
after(() => {
  for (const file of files) file.dispose();
});
const [badplace, lost, exec, sysmix, scx] = files.map((file) => file.trace);
/** A trace of switches alone, without a wakeup. */
const { trace: switches, dispose } = scratchFile('switches.txt');
after(dispose);
writeFileSync(
  switches,
  [
    ['<idle>-0', '10.000010', 'swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=5'],
    ['a-5', '10.000020', 'a prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0'],
  ]
    .map(([task, at, fields]) => `${task} [000] d... ${at}: sched_switch: prev_comm=${fields} next_prio=120\n`)
    .join(''),
);

/** @param {string[]} args */
function run(args) {
  return execFileSync(corelane, ['--quiet', ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
}

/**
 * What `corelane batch` answers to questions about a trace, which it loads once.
 *
 * @param {string} trace
 * @param {string[][]} questions
 * @returns {{ json?: any, text?: string }[]}
 */
function batch(trace, questions) {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const output = execFileSync(corelane, ['--quiet', 'batch', trace], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return output.trimEnd().split('\n').map(parseJson);
}

/**
 * The questions to each command: a trace and options. `absent` are fields for which no fixture has a value.
 *
 * @type {{ name: string, kind?: string, calls: string[][], absent?: RegExp }[]}
 */
const COMMANDS = [
  { name: 'info', calls: [[badplace], [lost]], absent: /^(guests|latency_texts|damage|writer|cannot_tell)\b/ },
  { name: 'stats', calls: [[badplace], [lost], [exec], [sysmix, '--net'], [switches]] },
  { name: 'intervals', calls: [[badplace], [lost]] },
  { name: 'states', calls: [[badplace, '--comm', 'barrier'], [lost]] },
  {
    name: 'latency',
    calls: [[badplace], [badplace, '--by', 'task'], [lost, '--by', 'cpu'], [sysmix, '--net'], [switches]],
  },
  { name: 'syscalls', calls: [[sysmix], ...['command', 'task', 'process'].map((by) => [sysmix, '--by', by])] },
  {
    name: 'pairs',
    calls: [
      [badplace, '--start', 'sched:sched_waking', '--end', 'sched:sched_switch', '--key', 'pid=next_pid'],
      [badplace, '--start', 'sched:sched_waking[prio < 0]', '--end', 'sched:sched_switch', '--key', 'pid=next_pid'],
      [badplace, '--start', 'sched:sched_waking', '--value', 'prio', '--group', 'comm', '--by', 'task'],
      [lost],
    ],
  },
  { name: 'features', calls: [[badplace], [badplace, '--all', '--topology', '2x8x2'], [lost, '--all']] },
  {
    name: 'sched-ext',
    calls: [[badplace, '--topology', '2x8x2'], [scx, '--slice', '10000000'], [lost]],
    absent: /^(dsqs|exits|dumps)\b/,
  },
  {
    name: 'overload',
    calls: [[badplace], [lost, '--topology', '1x1x1'], [badplace, '--topology', '2x8x2,llcs:4'], [switches]],
  },
  { name: 'placement', calls: [[badplace], [lost], [badplace, '--topology', '2x8x2,llcs:4']] },
  { name: 'waits', calls: [[badplace], [lost]] },
  {
    name: 'wakes',
    calls: [
      [badplace, '--ends', '2', '--topology', '2x8x2,llcs:4'],
      [badplace, '--by', 'task'],
      [lost, '--by', 'cpu'],
    ],
  },
  {
    name: 'antagonists',
    calls: [
      [badplace, '--ends', '2'],
      [badplace, '--by', 'task'],
      [lost, '--by', 'cpu'],
    ],
  },
  { name: 'spare', calls: [[badplace], [lost]] },
  { name: 'cascades', calls: [[badplace], [lost]] },
  { name: 'findings', calls: [[badplace], [lost], [sysmix]] },
  { name: 'chain', calls: ['290.6', '291.0'].map((at) => [badplace, '--cpu', '0', '--at', at]) },
  {
    name: 'at',
    calls: [
      [badplace, '--at', '290.6'],
      // A migration.
      [badplace, '--at', '284.055318926'],
      ...['1', '2', '3', '50', '500', '1500'].map((step) => [badplace, '--at', '291.0', '--step', step]),
      [badplace, '--at', '291.0', '--step', '-3'],
    ],
    absent: /^unplaced/,
  },
  {
    name: 'compare',
    calls: [
      [badplace, exec],
      [badplace, badplace],
    ],
  },
  { name: 'workload', calls: [[badplace], [lost, '--leave-out', 'none']] },
  { name: 'figure', kind: 'run-times', calls: [[badplace], [lost, '--group', 'all=dat']] },
];

const questions = COMMANDS.flatMap(({ name, kind, calls }) =>
  calls.map(([trace, ...options]) => ({
    name,
    trace,
    words: [name, ...(kind ? [kind] : []), ...options, '--json'],
  })),
);
const answered = new Map(
  [badplace, lost, exec, sysmix, scx, switches].flatMap((trace) => {
    const asked = questions.filter((question) => question.trace === trace);
    const answers = batch(
      trace,
      asked.map(({ words }) => words),
    );
    return asked.map((question, index) => [question, answers[index]]);
  }),
);

/**
 * Compares the answers of a command, each with the options for which it was given, with the command's section.
 *
 * @param {string} name
 * @param {[string, any][]} answers
 * @param {RegExp} [absent]
 */
function compareAll(name, answers, absent) {
  const fields = fieldsOf(name);
  const seen = new Set();
  for (const [args, answer] of answers) compare(answer, fields, '', args, seen);
  const never = leaves(fields).filter(([at, place]) => !seen.has(place) && !absent?.test(at));
  assert.deepEqual(
    never.map(([at]) => at),
    [],
    'fields whose values were not looked at',
  );
}

for (const { name, absent } of COMMANDS) {
  test(`the fields of ${name} are those of the page`, () => {
    const answers = [...answered].flatMap(([question, { json, text }]) => {
      if (question.name !== name) return [];
      const objects = text === undefined ? [json] : text.trimEnd().split('\n').map(parseJson);
      return objects.map((object) => /** @type {[string, any]} */ ([question.words.join(' '), object]));
    });
    compareAll(name, answers, absent);
  });
}

test('the fields of topology are those of the page', () => {
  const answers = ['2x16x2', '1x2x1'].map((text) => parseJson(run(['topology', text, '--json'])));
  compareAll(
    'topology',
    answers.map((answer) => ['', answer]),
  );
});

test('the fields of latencies in the buckets of schbench are those of the page', () => {
  const answers = [badplace, lost].map((trace) => parseJson(run(['latency', trace, '--schbench', '--json'])));
  compareAll(
    'Latency in the buckets of schbench',
    answers.map((answer) => ['', answer]),
  );
});

test('a CSV of features has the fields of the page, in their order', () => {
  const names = [...(fieldsOf('features').below.get('[]')?.below.keys() ?? [])];
  assert.equal(run(['features', lost, '--csv', '--all']).split('\n', 1)[0], names.join(','));
  assert.ok(names.join(',').startsWith(run(['features', lost]).split('\n', 1)[0]));
});

test("the fields of STaKTAU's texts are those of the page", () => {
  const sample = path.join(ROOT, 'crates/staktau/tests/sample.txt');
  const damaged = path.join(mkdtempSync(path.join(tmpdir(), 'corelane-page-')), 'damaged.txt');
  writeFileSync(damaged, '0 read(3) [7] 100\nno record\n');
  const texts = [[sample], [sysmix, '--compare', sample], [damaged]];
  compareAll(
    "STaKTAU's texts",
    texts.map((words) => ['', parseJson(run(['syscalls', ...words, '--json']))]),
  );
  rmSync(path.dirname(damaged), { recursive: true });
});

for (const [page, ...options] of [
  ['replay'],
  ['Replay `identity`', '--identity'],
  ['Replay `decisions`', '--decisions'],
  ['Replay `fit`', '--fit'],
]) {
  test(`the fields of ${page} are those of the page`, () => {
    const answer = parseJson(run(['replay', exec, ...options, '--json']));
    compareAll(page, [['', answer]]);
  });
}

test('a CSV has the fields of the page, in their order', () => {
  const names = [...(fieldsOf('intervals').below.get('[]')?.below.keys() ?? [])];
  assert.equal(run(['intervals', lost, '--csv']).split('\n', 1)[0], names.join(','));
});

for (const name of ['runs', 'waits', 'wakeups', 'migrations', 'states', 'tasks', 'commands']) {
  test(`the columns of table ${name} are those of the page`, () => {
    const page = name === 'states' ? 'states' : `Table \`${name}\``;
    const objects = [badplace, exec].flatMap((trace) =>
      run(['table', name, trace, '--json']).trimEnd().split('\n').map(parseJson),
    );
    compareAll(
      page,
      objects.map((object) => /** @type {[string, any]} */ (['', object])),
    );
    const [names] = run(['table', name, lost, '--csv']).split('\n', 1);
    assert.equal(names, [...fieldsOf(page).below.keys()].join(','));
  });
}

/** @param {string} text */
const optionsIn = (text) => [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option);

/** @param {string[]} command */
const optionsOfHelp = (command) =>
  [...run([...command, '--help']).matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);

/**
 * The options that a section lists.
 *
 * @param {string} name
 * @returns {string[]}
 */
function optionsOf(name) {
  const paragraphs = section(name).split(/\n{2,}/);
  const at = paragraphs.findIndex((paragraph) => paragraph.startsWith('Options:'));
  const text = (paragraphs[at] === 'Options:' ? paragraphs[at + 1] : paragraphs[at]) ?? '';
  return [...optionsIn(text), ...(text.includes('#selection)') ? optionsOf('Selection') : [])];
}

/** @param {Iterable<string>} names */
const sorted = (names) => [...new Set(names)].sort();

const commands = [...run(['--help']).matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name);

test('every command has a page, and every page a command', () => {
  assert.ok(COMMANDS.length < commands.length);
  const described = [...pages.keys()].filter((name) => !GENERAL.includes(name));
  assert.deepEqual(sorted(described), sorted(commands.filter((name) => name !== 'help')));
  const listed = [...section('Commands').matchAll(/\[`([a-z-]+)`\]\(\1\.md\)/g)].map(([, name]) => name);
  assert.deepEqual(sorted(listed), sorted(described));
});

for (const name of commands.filter((name) => name !== 'figure' && name !== 'help')) {
  test(`the options of ${name} are those of the page`, () => {
    const ofAll = ['--quiet', '--no-cache', '--threads', '--help'];
    assert.deepEqual(sorted(optionsOfHelp([name])), sorted([...optionsOf(name), ...ofAll]));
  });
}

test('every option of figures is on their page, or on this one', () => {
  const known = new Set([...optionsIn(figuresPage), ...optionsOf('Options of all commands'), '--output', '--json']);
  for (const kind of ['timeline', 'running-waiting', 'wakeup', 'run-times']) {
    for (const option of optionsOfHelp(['figure', kind])) assert.ok(known.has(option), `${kind} ${option}`);
  }
});

/** Documents of docs/ for contributors, which name options of the scripts. */
const FOR_CONTRIBUTORS = ['adding', 'data-flow', 'dependencies', 'internals', 'performance', 'testing'];
/** Options of other programs that documents for users name. */
const OF_OTHERS = [
  ...['--features', '--package', '--profile', '--release'],
  ...['--align-ts', '--raw-ts', '--ts-diff'],
  ...['--deltatime', '--header', '--ns', '--reltime', '--switch-events'],
];

test('every option that a document for users names exists', () => {
  const known = new Set([
    ...commands.filter((name) => name !== 'help').flatMap((name) => optionsOfHelp([name])),
    ...['timeline', 'running-waiting', 'wakeup', 'run-times'].flatMap((kind) => optionsOfHelp(['figure', kind])),
    '--version',
  ]);
  const documents = readdirSync(path.join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md') && !FOR_CONTRIBUTORS.includes(path.basename(file, '.md')))
    .map((file) => `docs/${file}`);
  const unknown = ['README.md', 'docs/guide/README.md', ...documents].flatMap((file) =>
    optionsIn(readFileSync(path.join(ROOT, file), 'utf8'))
      .filter((option) => !known.has(option) && !OF_OTHERS.includes(option))
      .map((option) => `${file}: ${option}`),
  );
  assert.deepEqual(unknown, []);
});
