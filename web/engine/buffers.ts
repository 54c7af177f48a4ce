/** The buffers of an answer, which are transferred instead of copied: those of its arrays of numbers, and of lists of such arrays. */
export const buffersOf = (answer: object): ArrayBuffer[] =>
  Object.values(answer)
    .flatMap((value: unknown) => (Array.isArray(value) && ArrayBuffer.isView(value[0]) ? value : [value]))
    .flatMap((value: unknown) => (ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : []));

/** What a message hands over. */
export const transferOf = (message: { readonly type: string; readonly answer?: unknown }): ArrayBuffer[] =>
  message.type === 'answer' && typeof message.answer === 'object' && message.answer !== null
    ? buffersOf(message.answer)
    : [];
