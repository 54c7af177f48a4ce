/** Where `npm start` and `npm run dev` serve: `--port N`, `--host [ADDRESS]`, or PORT in the environment. */
import { parseArgs } from 'node:util';
import { SetupError } from './machine.mjs';

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {number} defaultPort
 */
export function serverOptions(args, env, defaultPort) {
  const { port, host } = parse(args);
  const wanted = port ?? (env.PORT || `${defaultPort}`);
  if (!/^\d{1,5}$/.test(wanted) || Number(wanted) > 65535) {
    throw new SetupError(`the port is '${wanted}', expected a number up to 65535`);
  }
  return { port: Number(wanted), host: host ?? 'localhost' };
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({ args: [...args], options: { port: { type: 'string' }, host: { type: 'string' } } }).values;
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : `${error}`, [
      'npm start -- [--port N] [--host ADDRESS]',
    ]);
  }
}
