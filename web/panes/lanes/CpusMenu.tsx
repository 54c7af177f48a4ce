import { type ReactNode, useRef, useState } from 'react';
import { Popover } from '../../components/Popover';
import { CONTROLS } from '../../page/controls';
import { chosenCpus } from '../../state/cpus';
import { useSession, useView } from '../context';
import { CpusChoices } from '../later';

/** Chooses which CPUs have lanes. */
export function CpusMenu(): ReactNode {
  const session = useSession();
  const chosen = useView((view) => view.cpus);
  // Each opening begins with the CPUs that are shown.
  const [opening, setOpening] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  if (session.kind !== 'open') {
    return null;
  }
  const { summary } = session;
  const shown = chosenCpus(chosen, summary.cpus).length;
  const isAll = shown === summary.cpus.length;
  return (
    <Popover
      buttonId={CONTROLS.cpus}
      text={isAll ? 'CPUs' : `CPUs ${shown} of ${summary.cpus.length}`}
      title="Which CPUs have lanes"
      label="Which CPUs have lanes"
      large
      isOn={!isAll}
      box={box}
      onOpen={() => setOpening(opening + 1)}
    >
      {opening > 0 && <CpusChoices key={opening} summary={summary} close={() => box.current?.hidePopover()} />}
    </Popover>
  );
}
