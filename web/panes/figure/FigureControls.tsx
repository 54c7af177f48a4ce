import { type ReactNode, useId } from 'react';
import { plural } from '../../base/format';
import { Segmented } from '../../components/Segmented';
import { Toggle } from '../../components/Toggle';
import { counterName } from '../../state/counter';
import { cpusInSight, type FigureScene } from '../../state/figure';
import { FIGURE_WIDTHS, type FigureChoice } from '../../state/figureChoice';
import type { ViewState } from '../../state/viewState';
import { useView } from '../context';
import { FigureRow } from './FigureRow';
import { NumberField } from './NumberField';

interface FigureControlsProps {
  readonly choice: FigureChoice;
  readonly scene: FigureScene;
  readonly onChange: (choice: FigureChoice) => void;
}

const FORMATS: readonly { value: FigureChoice['format']; text: string; title: string }[] = [
  { value: 'svg', text: 'SVG', title: 'Vectors, for web pages and for drawing programs' },
  { value: 'pdf', text: 'PDF', title: 'Vectors, for papers' },
  { value: 'png', text: 'PNG', title: 'Pixels, for mails and slides' },
];

const WIDTHS: readonly { value: keyof typeof FIGURE_WIDTHS | 'other'; text: string; title: string }[] = [
  { value: 'column', text: 'Column', title: 'One column of a two-column page: 85 mm' },
  { value: 'text', text: 'Text', title: 'The text’s width of a two-column page: 178 mm' },
  { value: 'other', text: 'Other', title: 'Any width' },
];

const LEGENDS: readonly { value: FigureChoice['legend']; text: string }[] = [
  { value: 'window', text: 'What the figure shows' },
  { value: 'to-end', text: 'From time 0 to the figure’s end' },
  { value: 'trace', text: 'The whole trace' },
  { value: 'none', text: 'No legend' },
];

const widthName = (width: number): keyof typeof FIGURE_WIDTHS | 'other' =>
  width === FIGURE_WIDTHS.column ? 'column' : width === FIGURE_WIDTHS.text ? 'text' : 'other';

type SetChoice = (change: Partial<FigureChoice>) => void;

/** The choices for a figure. What the view does not have is not offered. */
export function FigureControls({ choice, scene, onChange }: FigureControlsProps): ReactNode {
  const view = useView((shown) => shown);
  const set: SetChoice = (change) => onChange({ ...choice, ...change });
  return (
    <div className="figure-controls">
      <Kind choice={choice} set={set} hasSelection={view.selection !== null} />
      <Format choice={choice} set={set} />
      <Size choice={choice} set={set} />
      <Content choice={choice} set={set} view={view} scene={scene} />
      {choice.kind === 'timeline' && view.colour === 'command' && <Legend choice={choice} set={set} />}
      <Title choice={choice} set={set} />
    </div>
  );
}

interface PartProps {
  readonly choice: FigureChoice;
  readonly set: SetChoice;
}

function Kind({ choice, set, hasSelection }: PartProps & { readonly hasSelection: boolean }): ReactNode {
  return (
    <FigureRow label="Figure">
      <Segmented
        label="Figure"
        options={[
          { value: 'timeline', text: 'Timeline', title: 'What runs on each CPU' },
          { value: 'running-waiting', text: 'Running', title: 'How many tasks run and wait' },
          ...(hasSelection
            ? ([{ value: 'wakeup', text: 'Wakeup', title: 'The selected run, and the wakeup that led to it' }] as const)
            : []),
        ]}
        value={choice.kind}
        onChange={(kind) => set({ kind })}
      />
    </FigureRow>
  );
}

function Format({ choice, set }: PartProps): ReactNode {
  return (
    <FigureRow label="Format">
      <Segmented label="Format" options={FORMATS} value={choice.format} onChange={(format) => set({ format })} />
      {choice.format === 'png' && (
        <NumberField
          label="Resolution"
          unit="dpi"
          value={choice.dpi}
          least={36}
          most={1200}
          onChange={(dpi) => set({ dpi })}
        />
      )}
    </FigureRow>
  );
}

function Size({ choice, set }: PartProps): ReactNode {
  return (
    <>
      <FigureRow label="Width">
        <Segmented
          label="Width"
          options={WIDTHS}
          value={widthName(choice.width)}
          onChange={(name) => set({ width: name === 'other' ? 120 : FIGURE_WIDTHS[name] })}
        />
        <NumberField
          label="Width"
          unit="mm"
          value={choice.width}
          least={40}
          most={1000}
          onChange={(width) => set({ width })}
        />
      </FigureRow>
      <FigureRow label="Height">
        <Segmented
          label="Height"
          options={[
            { value: 'lanes', text: 'Automatic', title: 'What the figure needs' },
            { value: 'other', text: 'Other', title: 'Any height' },
          ]}
          value={choice.height === null ? 'lanes' : 'other'}
          onChange={(name) => set({ height: name === 'lanes' ? null : 100 })}
        />
        {choice.height !== null && (
          <NumberField
            label="Height"
            unit="mm"
            value={choice.height}
            least={20}
            most={2000}
            onChange={(height) => set({ height })}
          />
        )}
      </FigureRow>
    </>
  );
}

type FlagName = 'running' | 'tasks' | 'calls' | 'marks' | 'arrows' | 'moves' | 'runqueues' | 'interrupts' | 'counter';

interface ContentProps extends PartProps {
  readonly view: ViewState;
  readonly scene: FigureScene;
}

/** The choice of CPUs, and of what is drawn below the lanes and on them. */
function Content({ choice, set, view, scene }: ContentProps): ReactNode {
  const toggle = (name: FlagName, text: string, title: string): ReactNode => (
    <Toggle text={text} title={title} on={choice[name]} onChange={(on) => set({ [name]: on })} />
  );
  const inSight = cpusInSight(view, scene.lanes);
  const onLanes = choice.kind === 'timeline';
  const hasCalls = scene.tasks.length > 0 && choice.tasks && scene.calls;
  const hasMore = view.selection || scene.moves || view.depth || scene.interrupts || view.counter !== '';
  const hasMarks = view.timeMarks.a !== null || view.timeMarks.b !== null || view.marks.length > 0;
  return (
    <>
      {onLanes && inSight && (
        <FigureRow label="CPUs">
          <Segmented
            label="CPUs"
            options={[
              { value: 'sight', text: `In sight: ${inSight.length}` },
              { value: 'all', text: `All ${plural(scene.lanes.length, 'CPU')}` },
            ]}
            value={choice.allCpus ? 'all' : 'sight'}
            onChange={(name) => set({ allCpus: name === 'all' })}
          />
        </FigureRow>
      )}
      {onLanes && (
        <FigureRow label="Below it">
          {toggle(
            'running',
            'Running and waiting',
            'How many tasks run and wait on the CPUs that are drawn, on the same time axis',
          )}
          {scene.tasks.length > 0 && toggle('tasks', 'Task lanes', 'The states of the tasks that have lanes')}
          {hasCalls && toggle('calls', 'System calls', 'What call each of these tasks is in')}
        </FigureRow>
      )}
      {choice.kind !== 'wakeup' && (hasMarks || (onLanes && hasMore)) && (
        <FigureRow label="On it">
          {hasMarks && toggle('marks', 'Marks and notes', 'A and B, and marked events')}
          {onLanes && view.selection && toggle('arrows', 'Arrows', 'The arrows of the selected run')}
          {onLanes && scene.moves && toggle('moves', 'Moves', '× at wakeups that put a task on another CPU')}
          {onLanes && scene.interrupts && toggle('interrupts', 'Interrupts', 'What interrupts took, as on the lanes')}
          {onLanes &&
            view.counter !== '' &&
            toggle('counter', 'Counter', `${counterName(view.counter)}, as on the lanes`)}
          {onLanes && view.depth && toggle('runqueues', 'Queues', 'How many tasks wait on each CPU’s runqueue')}
        </FigureRow>
      )}
    </>
  );
}

function Legend({ choice, set }: PartProps): ReactNode {
  const id = useId();
  return (
    <FigureRow label="Legend" htmlFor={id}>
      <select
        id={id}
        className="field"
        value={choice.legend}
        onChange={(event) => set({ legend: LEGENDS[event.target.selectedIndex]?.value ?? 'window' })}
      >
        {LEGENDS.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FigureRow>
  );
}

function Title({ choice, set }: PartProps): ReactNode {
  const id = useId();
  return (
    <FigureRow label="Title" htmlFor={id}>
      <input
        id={id}
        className="field figure-title"
        maxLength={120}
        placeholder="None"
        value={choice.title}
        onChange={(event) => set({ title: event.target.value })}
      />
    </FigureRow>
  );
}
