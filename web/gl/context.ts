/** The WebGL2 context of a canvas, and what is known about it. */

export interface GlContext {
  readonly gl: WebGL2RenderingContext;
  /** The renderer runs on the CPU (SwiftShader, llvmpipe): a full pass costs milliseconds. */
  readonly software: boolean;
}

/** null where the browser has no WebGL2, or refuses it. The context may be lost already. */
export function createContext(canvas: HTMLCanvasElement): GlContext | null {
  const gl = canvas.getContext('webgl2', {
    // Pixels are computed exactly: smoothing would only cost.
    antialias: false,
    alpha: false,
    depth: false,
    stencil: false,
    powerPreference: 'low-power',
  });
  if (gl === null) return null;
  return { gl, software: isSoftware(gl) };
}

function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  return /swiftshader|llvmpipe|software|basic render/i.test(String(renderer));
}

/**
 * Calls `lost` and `restored` as the context goes and comes back. Everything made with the context is gone by then, and
 * is to be made anew in `restored`. Returns what ends it.
 */
export function watchContext(canvas: HTMLCanvasElement, lost: () => void, restored: () => void): () => void {
  const onLost = (event: Event): void => {
    // Without this the browser does not give the context back.
    event.preventDefault();
    lost();
  };
  canvas.addEventListener('webglcontextlost', onLost);
  canvas.addEventListener('webglcontextrestored', restored);
  return () => {
    canvas.removeEventListener('webglcontextlost', onLost);
    canvas.removeEventListener('webglcontextrestored', restored);
  };
}
