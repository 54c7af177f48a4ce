/** Controls that open something of their own, for others that open it too: the ids of their buttons. */
export const CONTROLS = {
  compare: 'other-file-button',
  recent: 'recent-button',
  cpus: 'cpus-button',
  tasks: 'tasks-button',
  counter: 'counter-button',
  topology: 'topology-button',
} as const;

export type Control = keyof typeof CONTROLS;
