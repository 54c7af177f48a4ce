import { type ReactNode, useEffect, useId, useState } from 'react';
import { writeClipboard } from '../../base/clipboard';
import { formatBytes } from '../../base/format';
import { saveFile } from '../../base/saveFile';
import { Prose } from '../../components/Prose';
import type { EngineError, FigureAnswer, FigureFormat } from '../../engine/protocol';
import { sentence } from '../../page/words';

interface FigurePreviewProps {
  readonly answer: FigureAnswer | null;
  readonly error: EngineError | null;
  /** Whether another answer is on its way. */
  readonly pending: boolean;
}

const TYPES: Readonly<Record<FigureFormat, string>> = {
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  png: 'image/png',
};

/** The preview of the figure, its file, and the command line that makes the same file. */
export function FigurePreview({ answer, error, pending }: FigurePreviewProps): ReactNode {
  // The preview is a bitmap, because a browser may take seconds to draw a large SVG.
  const image = useAddress(answer?.preview, 'png');
  const file = useAddress(answer?.files[0], answer?.query.formats[0]);
  return (
    <div className="figure-preview" aria-busy={pending}>
      <div className="figure-paper">
        {error ? (
          <p className="figure-error" role="alert">
            <Prose text={sentence(error.what)} />
          </p>
        ) : (
          image !== null && (
            <a href={file ?? image} target="_blank" rel="noreferrer" title="Open the file in a new tab">
              <img src={image} alt="The figure" />
            </a>
          )
        )}
      </div>
      <Result answer={error ? null : answer} pending={pending} />
    </div>
  );
}

function Result({ answer, pending }: Pick<FigurePreviewProps, 'answer' | 'pending'>): ReactNode {
  const id = useId();
  const command = answer?.command ?? '';
  /** The command that was copied, and whether that succeeded. */
  const [copied, setCopied] = useState({ command: '', text: '' });
  const file = answer?.files[0];
  const copy = async (): Promise<void> => {
    try {
      await writeClipboard(command);
      setCopied({ command, text: 'Copied.' });
    } catch {
      setCopied({ command, text: 'The browser refused the clipboard.' });
    }
  };
  return (
    <>
      <p className="figure-result">
        <button
          type="button"
          className="button primary"
          disabled={pending || answer === null}
          onClick={() => answer && download(answer)}
        >
          Download {answer?.query.formats[0]?.toUpperCase()}
        </button>
        <span className="muted" role="status">
          {pending ? 'Drawing…' : answer && file ? factsOf(answer, file.length) : ''}
        </span>
        {answer && <span className="muted">{sharpnessOf(answer)}</span>}
      </p>
      <label htmlFor={id}>
        The same file from the command line, beside <code>{answer?.query.file}</code>
      </label>
      <div className="figure-command">
        <textarea id={id} className="field" readOnly rows={2} spellCheck={false} value={command} />
        <button type="button" className="button" disabled={command === ''} onClick={() => void copy()}>
          Copy the command
        </button>
        <span className="muted" role="status">
          {copied.command === command ? copied.text : ''}
        </span>
      </div>
    </>
  );
}

const mm = (length: number): string => `${Math.round(length * 10) / 10}`;

function factsOf({ query, width, height }: FigureAnswer, bytes: number): string {
  const size = `${mm(width)} × ${mm(height)} mm`;
  return `${query.out} · ${size}${query.formats[0] === 'png' ? ` at ${query.dpi} dpi` : ''} · ${formatBytes(bytes)}`;
}

/** Says how the preview differs from the file. */
function sharpnessOf({ query, preview_dpi: previewDpi }: FigureAnswer): string {
  if (query.formats[0] === 'png' && query.dpi === previewDpi) return '';
  return `Preview at ${previewDpi} dpi: the file differs from it in sharpness only.`;
}

/** An address at which the browser finds the bytes of a file. */
function useAddress(bytes: Uint8Array<ArrayBuffer> | undefined, format: FigureFormat | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!bytes || !format) {
      setUrl(null);
      return;
    }
    const made = URL.createObjectURL(new Blob([bytes], { type: TYPES[format] }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, format]);
  return url;
}

function download({ query, files }: FigureAnswer): void {
  const [file] = files;
  const [format] = query.formats;
  if (!file || !format) return;
  saveFile(file, TYPES[format], query.out);
}
