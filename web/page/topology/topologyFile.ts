/** A file with a topology, as bytes for the engine. */

/** Tars of sysfs are almost all padding: for each number in them, 4 KB of zeros. */
const PACKED_FROM = 1024 * 1024;

/** The engine unpacks what gzip packs: the tar of a large machine then needs no more memory than a small one's. */
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
