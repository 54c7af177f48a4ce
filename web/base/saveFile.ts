/** Hands a file to the browser's downloads. */
export function saveFile(content: Uint8Array<ArrayBuffer> | string, type: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // By then the browser has taken the bytes.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
