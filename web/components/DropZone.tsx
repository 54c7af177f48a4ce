import { type ReactNode, useEffect, useState } from 'react';
import { noteDropped } from '../base/fileHandles';

interface DropZoneProps {
  /** What a drop does: on the whole window, or, if there are two texts, on its left and right half. */
  readonly texts: readonly [string, string?];
  /** `half`: 0 is the left one, or the whole window. */
  readonly onDrop: (files: readonly File[], half: 0 | 1) => void;
}

/** What was pasted as a file, unless it was pasted into a field: a file of the clipboard, or text of more than a line. */
function pasted(event: ClipboardEvent): File[] {
  const { target, clipboardData } = event;
  if (!clipboardData || (target instanceof Element && target.closest('input, textarea, [contenteditable]'))) return [];
  if (clipboardData.files.length > 0) return [...clipboardData.files];
  const text = clipboardData.getData('text/plain');
  return text.trim().includes('\n') ? [new File([text], 'pasted text')] : [];
}

/** Takes files dropped anywhere on the window, and shows a text while they hover over it; takes what is pasted, too. */
export function DropZone({ texts, onDrop }: DropZoneProps): ReactNode {
  const [over, setOver] = useState<0 | 1 | null>(null);
  const isHalved = texts[1] !== undefined;
  useEffect(() => {
    // Enter and leave events come for every element below the pointer, so they are counted.
    let depth = 0;
    const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const halfOf = (event: DragEvent): 0 | 1 => (isHalved && event.clientX > innerWidth / 2 ? 1 : 0);
    const change = (event: DragEvent, by: number): void => {
      if (holdsFiles(event)) {
        event.preventDefault();
        depth = Math.max(0, depth + by);
        setOver(depth > 0 ? halfOf(event) : null);
      }
    };
    const enter = (event: DragEvent): void => change(event, 1);
    const leave = (event: DragEvent): void => change(event, -1);
    const hover = (event: DragEvent): void => {
      if (holdsFiles(event)) {
        // Without this the browser leaves the page for the file.
        event.preventDefault();
        setOver(halfOf(event));
      }
    };
    const drop = (event: DragEvent): void => {
      depth = 0;
      setOver(null);
      if (holdsFiles(event)) {
        event.preventDefault();
        const files = [...(event.dataTransfer?.files ?? [])];
        noteDropped(event.dataTransfer?.items ?? [], files);
        onDrop(files, halfOf(event));
      }
    };
    const paste = (event: ClipboardEvent): void => {
      const files = pasted(event);
      if (files.length > 0) {
        event.preventDefault();
        onDrop(files, 0);
      }
    };
    window.addEventListener('paste', paste);
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('dragover', hover);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('paste', paste);
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('dragover', hover);
      window.removeEventListener('drop', drop);
    };
  }, [onDrop, isHalved]);
  return over === null ? null : (
    <div className="drop-zones">
      {texts.map((text, half) => (
        <div key={text} className={half === over ? 'drop-zone over' : 'drop-zone'}>
          <p>{text}</p>
        </div>
      ))}
    </div>
  );
}
