import type { ReactNode } from 'react';
import { GESTURES, KEY_COMMANDS } from '../page/keys';
import './help.css';

const GROUPS = ['Time', 'Runs', 'Tasks', 'Events', 'View', 'Page'] as const;

/** All keys and gestures. */
export function HelpText(): ReactNode {
  return (
    <div className="help">
      {GROUPS.map((group) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {KEY_COMMANDS.filter((command) => command.group === group && command.names.length > 0).map(
              ({ names, text }) => (
                <Entry key={text} names={names} text={text} />
              ),
            )}
          </dl>
        </section>
      ))}
      <section>
        <h3>Mouse and trackpad</h3>
        <dl>
          {GESTURES.map(({ names, text }) => (
            <Entry key={text} names={names} text={text} />
          ))}
        </dl>
      </section>
      <section>
        <h3>Reading the panes</h3>
        <p>
          A lane for each CPU: colour is a run, background is idle, hatching is unknown (before a CPU’s first switch, or
          after lost events). Where several runs share a pixel, the height of the colour says how much of the time was
          busy. Below, green is running, red runnable but waiting, the dotted line the number of CPUs: red below that
          line waits while a CPU idles. The strip at the foot marks where a task waits behind another while a CPU idles;
          a task that only waits for its own idle CPU to wake up is left out.
        </p>
        <p>
          A task lane shows what one task does: it runs (all of the lane’s height, in the colour of the run), is
          runnable and waits for a CPU (half of it, red), is blocked (a third, violet and striped), is throttled, a
          deadline task that is off its runqueue until its next period (a third, grey), sleeps (a line), or is not known
          (hatched). Where several states share a pixel, their bars stand on each other, as high as their shares of the
          time.
        </p>
      </section>
    </div>
  );
}

function Entry({ names, text }: { readonly names: readonly string[]; readonly text: string }): ReactNode {
  return (
    <div className="help-entry">
      <dt>
        {names.map((name) => (
          <kbd key={name}>{name}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  );
}
