import type { ReactNode } from 'react';
import { useObservable } from '../components/useObservable';
import type { ColourMode } from '../state/viewState';
import { PRIORITIES, type Priority, sceneThemes } from '../timeline/frame/theme';
import { usePage, useView } from './context';

const PRIORITY_WORDS: Readonly<Record<Priority, string>> = {
  deadline: 'deadline',
  RT: 'real-time',
  urgent: 'nice < 0',
  normal: 'nice 0',
  nice: 'nice > 0',
  unknown: 'not known',
};

/** Explains the colours that stand for no task. */
export function ColourKey(): ReactNode {
  const colour = useView((view) => view.colour);
  const { load, priority, run, wasted } = sceneThemes[useObservable(usePage().theme)];
  const keys: Partial<Record<ColourMode, readonly (readonly [text: string, background: string])[]>> = {
    state: [
      ['running', run],
      ['idle while a task waits behind another', wasted],
    ],
    load: [['0 to 100 % busy', `linear-gradient(90deg, ${load.join(', ')})`]],
    priority: PRIORITIES.map((each) => [PRIORITY_WORDS[each], priority[each]]),
  };
  return (
    <span className="colour-key">
      {keys[colour]?.map(([text, background]) => (
        <span key={text} className="key">
          <span className="key-mark" style={{ background }} />
          {text}
        </span>
      ))}
    </span>
  );
}
