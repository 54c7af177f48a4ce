/** Reads a file with a topology as bytes for the engine. */

/** Files from this size on are compressed: tars of sysfs are almost all padding, 4 KB of zeros for each number. */
const PACKED_FROM = 1024 * 1024;

/** The engine unpacks gzip, so that the tar of a large machine needs no more memory than a small one's. */
export async function topologyBytes(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const stream = file.stream();
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  const bytes =
    file.size < PACKED_FROM || isPacked
      ? await new Response(stream).arrayBuffer()
      : await new Response(stream.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  return new Uint8Array(bytes);
}
