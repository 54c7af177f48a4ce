/** What the counters of sched_ext mean (`struct scx_event_stats` of kernel/sched/ext.c). Others are shown without a text. */
export const COUNTERS: Readonly<Record<string, string>> = {
  SCX_EV_SELECT_CPU_FALLBACK: 'The scheduler chose a CPU that the task may not use, and the core took another',
  SCX_EV_DISPATCH_LOCAL_DSQ_OFFLINE: 'A task was put on the local queue of a CPU that had gone offline',
  SCX_EV_DISPATCH_KEEP_LAST: 'Nothing else was to run, and the last task went on',
  SCX_EV_ENQ_SKIP_EXITING: 'A task that exits was not handed to the scheduler',
  SCX_EV_ENQ_SKIP_MIGRATION_DISABLED: 'A task that cannot migrate was not handed to the scheduler',
  SCX_EV_REENQ_IMMED: 'A task that was to run at once could not, and was queued again',
  SCX_EV_REENQ_LOCAL_REPEAT: 'A task was queued again on the same local queue',
  SCX_EV_REFILL_SLICE_DFL: 'A task got the default time slice, since the scheduler gave it none',
  SCX_EV_BYPASS_DURATION: 'How long the scheduler was bypassed, in ns',
  SCX_EV_BYPASS_DISPATCH: 'Tasks that ran while it was bypassed',
  SCX_EV_BYPASS_ACTIVATE: 'How often it was bypassed',
  SCX_EV_INSERT_NOT_OWNED: 'A task was put on a queue by a scheduler that does not own it',
  SCX_EV_SUB_BYPASS_DISPATCH: 'Tasks that ran while a part of the scheduler was bypassed',
};
