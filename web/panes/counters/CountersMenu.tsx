import { type ReactNode, useRef, useState } from 'react';
import { Popover } from '../../components/Popover';
import { CONTROLS } from '../../page/controls';
import { counterName } from '../../state/counter';
import { useView } from '../context';
import { CountersChoices } from './CountersChoices';

/** Chooses the number that the lanes show over time. */
export function CountersMenu(): ReactNode {
  const counter = useView((view) => view.counter);
  const [opening, setOpening] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  return (
    <Popover
      buttonId={CONTROLS.counter}
      text="Counter"
      title={counter === '' ? 'A number in the trace’s events over time, as a line on each lane' : counterName(counter)}
      label="Which counter the lanes show"
      large
      isOn={counter !== ''}
      box={box}
      onOpen={() => setOpening(opening + 1)}
    >
      {opening > 0 && <CountersChoices key={opening} close={() => box.current?.hidePopover()} />}
    </Popover>
  );
}
