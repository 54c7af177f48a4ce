/** A linked program and its uniforms by name. */

export interface Program<Names extends string> {
  readonly program: WebGLProgram;
  readonly uniforms: Readonly<Record<Names, WebGLUniformLocation | null>>;
}

/** Throws with the driver's log if the shaders do not compile: that is a defect of the program, not of the input. */
export function linkProgram<Names extends string>(
  gl: WebGL2RenderingContext,
  vertex: string,
  fragment: string,
  names: readonly Names[],
): Program<Names> {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) throw new Error('the WebGL context is lost');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error(`shader program: ${[gl.getProgramInfoLog(program), ...logs].filter(Boolean).join('; ')}`);
  }
  const uniforms = {} as Record<Names, WebGLUniformLocation | null>;
  for (const name of names) uniforms[name] = gl.getUniformLocation(program, name);
  return { program, uniforms };
}

/** Makes a program the current one. */
export function activate(gl: WebGL2RenderingContext, { program }: Program<string>): void {
  // biome-ignore lint/correctness/useHookAtTopLevel: WebGL's name, not React's.
  gl.useProgram(program);
}
