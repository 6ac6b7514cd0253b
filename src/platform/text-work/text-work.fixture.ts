/** Takes exponential time if the text does not end with a blank. */
export const hasRepeatedLetters = (text: string): boolean => /^(\w+\w?)+ $/.test(text)

export const repeatText = (text: string, times: number): string[] =>
  Array.from({ length: times }, () => text.repeat(10))

/** Never ends. Small pieces, because V8 ends the whole process if it cannot allocate a large one. */
export function useMemory(text: string): void {
  let last: object = { text }
  for (let n = 0; ; n++) last = { last, text: [text, n] }
}

export function waitMilliseconds(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

export function failWith(message: string): never {
  throw new RangeError(message)
}
