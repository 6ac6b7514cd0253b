/** `size` estimates the instructions of the compiled pattern, `repetition` is the highest number in braces. */
export type PatternSize = { size: number; repetition: number }

type Group = { size: number; lastPart: number }

const tooLarge: PatternSize = { size: Number.POSITIVE_INFINITY, repetition: 0 }
const groupStart = /\((?:\?(?:P?<\w*>|[imsU-]*:?))?/y
const braces = /\{(\d{1,6})(?:,(\d{0,6}))?\}/y

/** Estimates before the pattern is compiled, because compiling takes long if parts are repeated within repeated parts. */
export function measurePattern(source: string): PatternSize {
  const groups: Group[] = [{ size: 0, lastPart: 0 }]
  let repetition = 0
  const addPart = (size: number) => {
    const group = groups.at(-1)!
    group.size += size
    group.lastPart = size
  }
  for (let at = 0; at < source.length; ) {
    const character = source[at]!
    const repeated = character === '{' ? matchAt(braces, source, at) : null
    if (repeated) {
      const times = Math.max(Number(repeated[1]), Number(repeated[2] ?? 0), 1)
      repetition = Math.max(repetition, times)
      repeatLastPart(groups.at(-1)!, times)
      at += repeated[0].length
    } else if (character === '(') {
      groups.push({ size: 2, lastPart: 0 })
      at += matchAt(groupStart, source, at)![0].length
    } else if (character === ')') {
      if (groups.length === 1) return tooLarge
      addPart(groups.pop()!.size)
      at += 1
    } else if ('?*+|'.includes(character)) {
      groups.at(-1)!.size += character === '*' ? 2 : 1
      at += 1
    } else {
      addPart(1)
      at = endOfPart(source, at)
      if (at < 0) return tooLarge
    }
  }
  return { size: groups.reduce((sum, { size }) => sum + size, 0), repetition }
}

/** Counts an instruction that skips each optional copy, and one that repeats the last copy. */
function repeatLastPart(group: Group, times: number): void {
  const repeated = (group.lastPart + 1) * times + 1
  group.size += repeated - group.lastPart
  group.lastPart = repeated
}

/** Returns -1 for a part that is not closed, and for quoted text, whose brackets have no meaning. */
function endOfPart(source: string, at: number): number {
  if (source[at] === '[') return endOfClass(source, at)
  return source[at] === '\\' ? endOfEscape(source, at) : at + 1
}

function endOfEscape(source: string, at: number): number {
  const letter = source[at + 1] ?? ''
  if (letter === 'Q' || letter === '') return -1
  if (!'pPx'.includes(letter) || source[at + 2] !== '{') return at + 2
  return endAfter(source, '}', at + 3)
}

function endOfClass(source: string, start: number): number {
  let at = start + (source[start + 1] === '^' ? 2 : 1)
  if (source[at] === ']') at += 1
  while (at < source.length && source[at] !== ']') {
    if (source[at] === '\\') at = endOfEscape(source, at)
    else if (source.startsWith('[:', at)) at = endAfter(source, ':]', at + 2)
    else at += 1
    if (at < 0) return -1
  }
  return at < source.length ? at + 1 : -1
}

function endAfter(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from)
  return end < 0 ? -1 : end + mark.length
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}
