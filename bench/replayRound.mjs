/**
 * One replay in wasm, in Node: prints what the native program prints of it, in the same JSON.
 *
 *     node bench/replayRound.mjs WORKLOAD POLICY TICK_MS SECONDS
 */
import { argv, stdout } from 'node:process';
import { cpuMs } from './clock.mjs';
import { replayable } from './replayWasm.mjs';

const [, , name, policy, tick, seconds] = argv;
if (name === undefined || policy === undefined) {
  throw new Error('usage: node bench/replayRound.mjs WORKLOAD POLICY TICK_MS SECONDS');
}
const untilMs = 1000 * Number(seconds);
const making = cpuMs();
const workload = await replayable(name, untilMs);
const workloadMs = cpuMs() - making;
const run = () => workload.run(policy, undefined, Number(tick), name.endsWith('.dat') ? undefined : untilMs);
// Of the first run a part is the engine's compiler, which comes once however much is replayed; the native program has none.
run();
const running = cpuMs();
const { hash, rows, engine_events } = JSON.parse(run());
const runMs = cpuMs() - running;
stdout.write(JSON.stringify({ workloadMs, runMs, hash, rows, engineEvents: engine_events }));
