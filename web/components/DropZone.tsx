import { type ReactNode, useEffect, useState } from 'react';

interface DropZoneProps {
  readonly text: string;
  readonly onDrop: (files: readonly File[]) => void;
}

/** Takes files dropped anywhere on the window, and shows a text while they hover over it. */
export function DropZone({ text, onDrop }: DropZoneProps): ReactNode {
  const [over, setOver] = useState(false);
  useEffect(() => {
    // Enter and leave events come for every element below the pointer, so they are counted.
    let depth = 0;
    const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const change = (event: DragEvent, by: number): void => {
      if (holdsFiles(event)) {
        event.preventDefault();
        depth = Math.max(0, depth + by);
        setOver(depth > 0);
      }
    };
    const enter = (event: DragEvent): void => change(event, 1);
    const leave = (event: DragEvent): void => change(event, -1);
    const hover = (event: DragEvent): void => {
      if (holdsFiles(event)) {
        // Without this the browser leaves the page for the file.
        event.preventDefault();
      }
    };
    const drop = (event: DragEvent): void => {
      depth = 0;
      setOver(false);
      if (holdsFiles(event)) {
        event.preventDefault();
        onDrop([...(event.dataTransfer?.files ?? [])]);
      }
    };
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('dragover', hover);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('dragover', hover);
      window.removeEventListener('drop', drop);
    };
  }, [onDrop]);
  return over ? (
    <div className="drop-zone">
      <p>{text}</p>
    </div>
  ) : null;
}
