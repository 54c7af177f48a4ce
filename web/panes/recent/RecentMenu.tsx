import { type ReactNode, useRef } from 'react';
import { Popover } from '../../components/Popover';
import { useObservable } from '../../components/useObservable';
import { CONTROLS } from '../../page/controls';
import { recentOf } from '../../page/recent/recentTraces';
import { usePage } from '../context';
import { RecentList } from './RecentList';

/** The traces that were open last, beside the button that opens one. */
export function RecentMenu(): ReactNode {
  const list = useObservable(recentOf(usePage()).list);
  const box = useRef<HTMLDivElement>(null);
  if (list.length === 0) return null;
  const choose = (): void => {
    box.current?.hidePopover();
    document.getElementById('trace-file-button')?.click();
  };
  return (
    <Popover
      buttonId={CONTROLS.recent}
      text="Recent"
      title="Traces that were open last in this browser"
      label="Recent traces"
      large
      box={box}
    >
      <div className="popover-part">
        <RecentList openFile={choose} />
      </div>
    </Popover>
  );
}
