/** What dispatch queues are called (include/linux/sched/ext.h: bits 63 and 62 of the id). Pure. */

const BUILT_IN = 1n << 63n;
const LOCAL_ON = 1n << 62n;
const GLOBAL = 1n;
const LOCAL = 2n;

/** As in `DSQ 3`, `local 2` for the queue of CPU 2, `global`. `id`: in decimal. */
export function queueName(id: string): string {
  const number = BigInt(id);
  if ((number & BUILT_IN) === 0n) return `DSQ ${id}`;
  if ((number & LOCAL_ON) !== 0n) return `local ${number & 0xffff_ffffn}`;
  const which = number & ~BUILT_IN;
  return which === GLOBAL ? 'global' : which === LOCAL ? 'local' : `built-in ${which}`;
}
