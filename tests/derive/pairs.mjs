// @ts-check
// Derives pairs of events from the lines of `trace-cmd report -R -t`, and compares them with `corelane pairs`.

const RECORD = /^.*?-(\d+) +(?:\[(\d+)\] *|(\d+)-0x[0-9a-f]+ +)(\d+)(?:\.(\d{9}))?: ([^\s:]+): *(.*)$/;
const DROPPED = /^CPU:(\d+) \[(?:\d+ )?EVENTS DROPPED\]$/;
const IDLE = '4294967295';
const SOFTIRQS = ['HI', 'TIMER', 'NET_TX', 'NET_RX', 'BLOCK', 'IRQ_POLL', 'TASKLET', 'SCHED', 'HRTIMER', 'RCU'];

/** @typedef {(name: string) => string} Fields */
/** @typedef {{t: number, cpu: number, pid: number, group: string, expires: bigint}} Start */
/** @typedef {{t: number, cpu: number, pid: number, group: string, ns: number, lost: boolean}} Instance */

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {string} start
 * @property {string} end
 * @property {string} [cancel]
 * @property {(fields: Fields, place: {cpu: number, pid: number}) => string} key
 * @property {(fields: Fields) => string} group
 * @property {'last' | 'first' | 'nest'} again
 * @property {(fields: Fields) => boolean} [starts] which records of the event
 * @property {(fields: Fields) => boolean} [ends]
 * @property {boolean} [late] how late the timer is, in place of the difference of times
 * @property {(fields: Fields) => number} [value] what the start alone tells, in ns; there is no end
 */

/** @type {Rule[]} */
const RULES = [
  {
    name: 'irq',
    start: 'irq_handler_entry',
    end: 'irq_handler_exit',
    key: (f, { cpu }) => `${cpu} ${f('irq')}`,
    group: (f) => f('name'),
    again: 'nest',
  },
  {
    name: 'softirq',
    start: 'softirq_entry',
    end: 'softirq_exit',
    key: (f, { cpu }) => `${cpu} ${f('vec')}`,
    group: (f) => SOFTIRQS[Number(f('vec'))],
    again: 'last',
  },
  {
    name: 'softirq_latency',
    start: 'softirq_raise',
    end: 'softirq_entry',
    key: (f, { cpu }) => `${cpu} ${f('vec')}`,
    group: (f) => SOFTIRQS[Number(f('vec'))],
    again: 'first',
  },
  ...['hrtimer', 'timer'].map((name) => ({
    name,
    start: `${name}_expire_entry`,
    end: `${name}_expire_exit`,
    key: (/** @type {Fields} */ f, /** @type {{cpu: number}} */ { cpu }) => `${cpu} ${f(name)}`,
    group: (/** @type {Fields} */ f) => f('function'),
    again: /** @type {const} */ ('last'),
  })),
  {
    name: 'hrtimer_late',
    start: 'hrtimer_start',
    end: 'hrtimer_expire_entry',
    cancel: 'hrtimer_cancel',
    key: (f) => f('hrtimer'),
    group: (f) => f('function'),
    again: 'last',
    late: true,
  },
  {
    name: 'workqueue',
    start: 'workqueue_execute_start',
    end: 'workqueue_execute_end',
    key: (f, { pid }) => `${pid} ${f('work') || f('work struct')}`,
    group: (f) => f('function'),
    again: 'last',
  },
  {
    name: 'workqueue_latency',
    start: 'workqueue_queue_work',
    end: 'workqueue_execute_start',
    key: (f) => f('work'),
    group: (f) => f('function'),
    again: 'first',
  },
  ...[
    ['block', 'block_rq_issue', 'block_rq_complete'],
    ['block_queue', 'block_rq_insert', 'block_rq_issue'],
  ].map(([name, start, end]) => ({
    name,
    start,
    end,
    key: (/** @type {Fields} */ f) => `${f('dev')} ${f('sector')}`,
    group: (/** @type {Fields} */ f) => `${Number(f('dev')) >> 20},${Number(f('dev')) & 0xfffff},${f('rwbs')}`,
    again: /** @type {const} */ ('last'),
  })),
  {
    name: 'idle',
    start: 'cpu_idle',
    end: 'cpu_idle',
    key: (f) => f('cpu_id'),
    group: (f) => f('state'),
    again: 'last',
    starts: (f) => f('state') !== IDLE,
    ends: (f) => f('state') === IDLE,
  },
  ...['local_timer', 'reschedule', 'call_function', 'call_function_single', 'irq_work'].map((stem) => ({
    name: 'vector',
    start: `${stem}_entry`,
    end: `${stem}_exit`,
    key: (/** @type {Fields} */ _, /** @type {{cpu: number}} */ { cpu }) => `${cpu}`,
    group: () => stem,
    again: /** @type {const} */ ('nest'),
  })),
  ...['irq_noise desc', 'thread_noise comm', 'nmi_noise', 'sample_threshold'].map((words) => {
    const [event, group] = words.split(' ');
    return value(event, group, (f) => Number(f('duration')));
  }),
  value('timerlat', 'context', (f) => Number(f('timer_latency'))),
  // These two tracers sum up in us, as their headings in the kernel's `trace` file say.
  value('osnoise', undefined, (f) => Number(f('noise')) * 1000),
  value('hwlat', undefined, (f) => Number(f('duration')) * 1000),
];

/** @param {string} event @param {string | undefined} group @param {(fields: Fields) => number} value @returns {Rule} */
function value(event, group, value) {
  const groupOf = (/** @type {Fields} */ f) => (group === undefined ? '' : f(group));
  return { name: event, start: event, end: '', key: () => '', group: groupOf, again: 'last', value };
}

/** What was found by one rule. */
class Found {
  /** @type {Map<string, Start[]>} */
  open = new Map();
  /** @type {Instance[]} */
  instances = [];
  /** @type {{t: number, cpu: number, pid: number}[]} */
  unmatchedEnds = [];
  /** @type {{t: number, cpu: number, pid: number}[]} */
  restarted = [];
  starts = false;
  ends = false;
}

/** Takes the lines of a report. */
export class PairsReader {
  #found = RULES.map(() => new Found());
  /** By CPU: events were lost since its last record; the time of the last record that followed such a place. */
  #dropped = new Set();
  /** @type {Map<number, number>} */
  #lost = new Map();
  #rules = new Map();
  /** Whole seconds, or ticks, of the first line: what times count from, since times of day do not fit a double. */
  #origin = 0n;
  #begun = false;

  constructor() {
    for (const [index, { start, end, cancel }] of RULES.entries()) {
      for (const event of new Set([start, end, cancel])) {
        if (event) this.#rules.set(event, [...(this.#rules.get(event) ?? []), index]);
      }
    }
  }

  /** @param {string} line */
  push(line) {
    const dropped = DROPPED.exec(line);
    if (dropped) this.#dropped.add(Number(dropped[1]));
    const record = RECORD.exec(line);
    if (!record) return;
    const [, pid, plainCpu, cpuOfFlags, whole, fraction, event, text] = record;
    const at = { t: this.#time(whole, fraction), cpu: Number(plainCpu ?? cpuOfFlags), pid: Number(pid) };
    if (this.#dropped.delete(at.cpu)) this.#lost.set(at.cpu, at.t);
    const rules = this.#rules.get(event);
    if (!rules) return;
    const parts = text
      .split(/ (?=[a-z_]+=)/)
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]);
    const values = new Map(/** @type {[string, string][]} */ (parts));
    const fields = (/** @type {string} */ name) => (values.get(name) ?? '').trim();
    for (const index of rules) this.#take(RULES[index], this.#found[index], event, fields, at);
  }

  /**
   * @param {Rule} rule
   * @param {Found} found
   * @param {string} event
   * @param {Fields} fields
   * @param {{t: number, cpu: number, pid: number}} at
   */
  #take(rule, found, event, fields, at) {
    const key = rule.key(fields, at);
    const open = found.open.get(key) ?? [];
    found.open.set(key, open);
    if (event === rule.end) {
      found.ends = true;
      if (rule.ends?.(fields) ?? true) {
        const start = open.pop();
        if (start) this.#pair(rule, found, start, fields, at);
        else found.unmatchedEnds.push(at);
      }
    }
    if (event === rule.cancel) open.pop();
    if (event !== rule.start) return;
    found.starts = true;
    if (!(rule.starts?.(fields) ?? true)) return;
    if (rule.value) {
      found.ends = true;
      found.instances.push({ ...at, group: rule.group(fields), ns: rule.value(fields), lost: false });
      return;
    }
    const start = { ...at, group: rule.group(fields), expires: rule.late ? BigInt(fields('expires')) : 0n };
    if (open.length > 0 && rule.again !== 'nest') {
      found.restarted.push(at);
      if (rule.again === 'first') return;
      open.pop();
    }
    open.push(start);
  }

  /** @param {Rule} rule @param {Found} found @param {Start} start @param {Fields} fields @param {{t: number, cpu: number}} at */
  #pair(rule, found, start, fields, at) {
    const ns = rule.late ? Number(BigInt(fields('now')) - start.expires) : at.t - start.t;
    const lost = [start.cpu, at.cpu].some((cpu) => (this.#lost.get(cpu) ?? -1) > start.t);
    found.instances.push({ ...start, ns, lost });
  }

  /** @param {string} whole @param {string | undefined} fraction */
  #time(whole, fraction) {
    if (!this.#begun) this.#origin = BigInt(whole);
    this.#begun = true;
    const since = Number(BigInt(whole) - this.#origin);
    return fraction === undefined ? since : since * 1e9 + Number(fraction);
  }

  /**
   * What `corelane pairs --json` is to print, times counted from the first line's whole second.
   *
   * @param {(at: {t: number, cpu: number, pid: number}) => boolean} selected
   * @param {(instance: Instance) => string} [groupOf]
   */
  answer(selected, groupOf = ({ group }) => group) {
    /** @type {Map<string, Found[]>} */
    const byName = new Map();
    for (const [index, found] of this.#found.entries()) {
      const { name } = RULES[index];
      byName.set(name, [...(byName.get(name) ?? []), found]);
    }
    const there = [...byName].filter(([, all]) => all.some(({ starts }) => starts) && all.some(({ ends }) => ends));
    return there.map(([name, all]) => {
      const instances = all.flatMap((found) => found.instances).filter(selected);
      const count = (/** @type {(found: Found) => {t: number, cpu: number, pid: number}[]} */ of) =>
        all.flatMap(of).filter(selected).length;
      const groups = grouped(instances, groupOf);
      return {
        name,
        count: instances.length,
        unmatched_starts: count(({ open }) => [...open.values()].flat()),
        unmatched_ends: count(({ unmatchedEnds }) => unmatchedEnds),
        restarted: count(({ restarted }) => restarted),
        across_loss: instances.filter(({ lost }) => lost).length,
        ns: spread(instances),
        groups: [...groups]
          .map(([group, members]) => ({ group, count: members.length, ns: spread(members) }))
          .sort((a, b) => b.ns.sum - a.ns.sum || (a.group < b.group ? -1 : 1)),
        longest: instances
          .sort((a, b) => b.ns - a.ns || a.t - b.t || a.cpu - b.cpu)
          .slice(0, 10)
          .map(({ t, ns, cpu, pid, group }) => ({ at: t, ns, cpu, pid, group })),
      };
    });
  }

  /** An absolute time, as a number that counts from the same second. @param {bigint | number} at @param {boolean} isNs */
  since(at, isNs) {
    return Number(BigInt(at) - this.#origin * (isNs ? 1_000_000_000n : 1n));
  }
}

/** @param {Instance[]} instances */
function spread(instances) {
  const values = instances.map(({ ns }) => ns).sort((a, b) => a - b);
  const rank = (/** @type {number} */ permille) => values[Math.ceil((values.length * permille) / 1000) - 1] ?? null;
  const sum = values.reduce((sum, value) => sum + value, 0);
  const floor = (/** @type {number} */ value) =>
    value === 0 ? 0 : Math.sign(value) * 2 ** (Math.abs(value).toString(2).length - 1);
  const buckets = grouped(values, floor);
  return {
    sum,
    min: values[0] ?? null,
    mean: values.length > 0 ? sum / values.length : null,
    p50: rank(500),
    p90: rank(900),
    p99: rank(990),
    p999: rank(999),
    max: values.at(-1) ?? null,
    histogram: [...buckets].map(([from, members]) => [from, members.length]),
  };
}

/**
 * @param {import('./differences.mjs').Differences} differences
 * @param {PairsReader} reader
 * @param {import('./corelane.mjs').Batch} corelane
 * @param {any} info of `corelane info`
 * @param {(time: bigint) => string} option a time as options have it
 */
export async function comparePairs(differences, reader, corelane, info, option) {
  const named = new Functions();
  const [first, last] = [info.first_ns, info.last_ns].map((at) => reader.since(at, info.clock_is_ns));
  const [min, max] = [1, 3].map((quarters) => Math.floor(((last - first) * quarters) / 4));
  const window = ['--min', option(BigInt(min)), '--max', option(BigInt(max))];
  /** @type {[string[], (at: {t: number, cpu: number, pid: number}) => boolean, ((instance: Instance) => string)?][]} */
  const questions = [
    [[], () => true],
    [['--by', 'cpu'], () => true, ({ cpu }) => `${cpu}`],
    [['--cpu=0,2-3'], ({ cpu }) => [0, 2, 3].includes(cpu)],
  ];
  if (min < max) questions.push([window, ({ t }) => first + min <= t && t < first + max]);
  for (const [args, selected, groupOf] of questions) {
    const expected = reader.answer(selected, groupOf);
    const { pairs } = await corelane.json('pairs', ...args);
    const own = pairs.filter((/** @type {{name: string}} */ { name }) => RULES.some((rule) => rule.name === name));
    const byName = new Map(own.map((/** @type {{name: string}} */ pair) => [pair.name, pair]));
    const what = ['pairs', ...args].join(' ');
    differences.expect(`${what} names`, expected.map(({ name }) => name).sort(), [...byName.keys()].sort());
    for (const { name, groups, longest, ns, ...counts } of expected) {
      const actual = byName.get(name);
      if (!actual) continue;
      for (const [key, value] of Object.entries(counts))
        differences.expect(`${what} ${name} ${key}`, value, actual[key]);
      compareSpread(differences, `${what} ${name}`, ns, actual.ns);
      differences.expect(`${what} ${name} groups`, groups.length, actual.groups.length);
      for (const [index, group] of groups.entries()) {
        const other = actual.groups[index] ?? {};
        const otherName = named.as(group.group, other.group);
        differences.expect(`${what} ${name} group ${index}`, [group.group, group.count], [otherName, other.count]);
        compareSpread(differences, `${what} ${name} ${group.group}`, group.ns, other.ns);
      }
      const links = actual.longest.map(
        (/** @type {any} */ { at_ns, ns, cpu, pid, group }, /** @type {number} */ index) => {
          const at = reader.since(at_ns, info.clock_is_ns);
          return { at, ns, cpu, pid, group: named.as(longest[index]?.group, group) };
        },
      );
      differences.expect(`${what} ${name} longest`, longest, links);
    }
  }
}

/** Functions that trace-cmd's raw text gives as addresses: each has to have one name of its own. */
class Functions {
  /** @type {Map<string, string>} */
  #names = new Map();

  /** The address, where the name is that of the address. @param {string | undefined} address @param {string} name */
  as(address, name) {
    if (address === undefined || !/^0x[0-9a-f]+$/.test(address) || name === address) return name;
    const isNew = !this.#names.has(address) && ![...this.#names.values()].includes(name);
    if (isNew) this.#names.set(address, name);
    return this.#names.get(address) === name ? address : name;
  }
}

/** @param {import('./differences.mjs').Differences} differences @param {string} what @param {any} expected @param {any} actual */
function compareSpread(differences, what, expected, actual) {
  for (const [key, value] of Object.entries(expected)) differences.expect(`${what} ns.${key}`, value, actual?.[key]);
}

/**
 * @template T, K
 * @param {T[]} items
 * @param {(item: T) => K} keyOf
 * @returns {Map<K, T[]>}
 */
function grouped(items, keyOf) {
  /** @type {Map<K, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
