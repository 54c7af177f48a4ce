import { type ReactNode, useEffect, useId, useState } from 'react';
import { formatCpuList } from '../../base/cpuList';
import { plural } from '../../base/format';
import { Prose } from '../../components/Prose';
import type { Summary, Topology, TopologyText } from '../../engine/protocol';
import { topologyBytes } from '../../page/topology/topologyFile';
import { keepTopology } from '../../state/topology';
import { usePage, useView } from '../context';
import { Facts } from '../Facts';

interface TopologyFormProps {
  readonly summary: Summary;
  readonly onClose: () => void;
}

/** How the input was understood; null while there is none, or while the answer is awaited. */
type Understood = { readonly topology: Topology | null; readonly error: string | null } | null;

/** Takes a description, and says how it is understood. */
export function TopologyForm({ summary, onClose }: TopologyFormProps): ReactNode {
  const page = usePage();
  const current = useView((view) => view.topology.text);
  const [given, setGiven] = useState<{ readonly text: TopologyText; readonly file: string | null }>({
    text: current,
    file: null,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const understood = useUnderstood(given.text);
  const id = useId();
  const use = (text: string): void => {
    page.store.dispatch({ type: 'topology', change: { text, order: 'topology' } });
    if (page.store.getState().topology.text !== text) {
      setProblem('This machine is too irregular, or the view holds too much else, for a link: it is not used.');
      return;
    }
    keepTopology(page.storage, summary.fingerprint, text);
    page.announce(text === '' ? 'The topology is not known any more.' : `CPUs are ordered by topology: ${text}.`);
    onClose();
  };
  const read = (file: File | undefined): void => {
    if (file === undefined) return;
    setProblem(null);
    topologyBytes(file).then(
      (text) => setGiven({ text, file: file.name }),
      () => setProblem(`${file.name} cannot be read: it was changed, moved or deleted since it was chosen.`),
    );
  };
  const topology = understood?.topology ?? null;
  return (
    <form
      className="topology-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (topology) use(topology.canonical);
      }}
    >
      <p>
        A trace does not say which CPUs share a core, a cache or a socket. Say it in one of three ways; the browser
        keeps it for this trace, and links hold it.
      </p>
      <label htmlFor={id}>
        The text of <code>lscpu -p</code>, or sockets × cores of a socket × threads of a core, like <code>2x16x2</code>
      </label>
      <textarea
        id={id}
        className="field topology-text"
        rows={6}
        spellCheck={false}
        placeholder={'2x16x2\n2x16x2,siblings   (threads of a core have neighbouring numbers)\n2x16x2,llcs:8'}
        aria-invalid={understood?.error != null}
        aria-describedby={`${id}-understood`}
        value={given.file === null && typeof given.text === 'string' ? given.text : ''}
        onChange={(event) => {
          setProblem(null);
          setGiven({ text: event.target.value, file: null });
        }}
      />
      <p>
        <label className="file-choice">
          Or a file with that text, or a tar of sysfs{' '}
          <input type="file" onChange={(event) => read(event.target.files?.[0])} />
        </label>
      </p>
      <p className="muted">
        Made there by <code>lscpu -p &gt; topology.txt</code> or{' '}
        <code>tar czf topology.tgz /sys/devices/system/cpu/cpu*/&#123;topology,cache&#125;</code>, whose warnings about
        files that shrank do not matter.
      </p>
      <div id={`${id}-understood`} className="topology-understood" aria-live="polite">
        {problem !== null && <p className="topology-error">{problem}</p>}
        {understood?.error != null && (
          <p className="topology-error">
            <Prose text={`Not understood: ${understood.error}.`} />
          </p>
        )}
        {topology && <Preview topology={topology} file={given.file} />}
      </div>
      <p className="topology-buttons">
        <button type="submit" className="button primary" disabled={topology === null}>
          Use this topology
        </button>
        {current !== '' && (
          <button type="button" className="button" onClick={() => use('')}>
            Forget it
          </button>
        )}
      </p>
    </form>
  );
}

function Preview({ topology, file }: { readonly topology: Topology; readonly file: string | null }): ReactNode {
  const { unknown_cpus: unknownCpus, other_cpus: otherCpus } = topology;
  return (
    <Facts
      facts={[
        ['Understood', <strong key="summary">{topology.summary}</strong>],
        ['From', file],
        ['As text', <code key="text">{topology.canonical}</code>],
        ['Socket 0', `CPUs ${formatCpuList(topology.cpus.filter(({ socket }) => socket === 0).map(({ cpu }) => cpu))}`],
        ['First core', `CPUs ${formatCpuList(topology.cpus.filter(({ core }) => core === 0).map(({ cpu }) => cpu))}`],
        [
          'Not known',
          unknownCpus.length > 0
            ? `${plural(unknownCpus.length, 'CPU')} of the trace: ${formatCpuList(unknownCpus)}. They come last.`
            : null,
        ],
        [
          'Not traced',
          otherCpus.length > 0
            ? `${plural(otherCpus.length, 'CPU')} of this machine: ${formatCpuList(otherCpus)}. Is it the right one?`
            : null,
        ],
      ]}
    />
  );
}

/** Asks the engine how it understands a text, which changes nothing there. */
function useUnderstood(text: TopologyText): Understood {
  const { engine } = usePage();
  const [understood, setUnderstood] = useState<Understood>(null);
  useEffect(() => {
    if (typeof text === 'string' && text.trim() === '') {
      setUnderstood(null);
      return;
    }
    let latest = true;
    engine.query('topology/parse', { type: 'parse_topology', text }).then((outcome) => {
      if (!latest || outcome.kind === 'superseded') return;
      setUnderstood(outcome.kind === 'answer' ? outcome.answer : { topology: null, error: outcome.error.what });
    });
    return () => {
      latest = false;
    };
  }, [engine, text]);
  return understood;
}
