/** The WebGL2 context of a canvas, and what is known about it. */

export interface GlContext {
  readonly gl: WebGL2RenderingContext;
  /** Whether the renderer runs on the CPU (SwiftShader, llvmpipe): a full pass then takes milliseconds. */
  readonly software: boolean;
}

/** null if the browser has no WebGL2, or refuses it. The context may be lost already. */
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
 * Calls `lost` and `restored` as the context goes and comes back. Everything made with the context is then gone, and
 * has to be made anew in `restored`. Returns a function that stops this.
 */
export function watchContext(canvas: HTMLCanvasElement, lost: () => void, restored: () => void): () => void {
  const onLost = (event: Event): void => {
    // Without this the browser does not restore the context.
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
