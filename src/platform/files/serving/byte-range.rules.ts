import type { ByteRange } from '#platform/storage'

/** `whole` for a missing, malformed or multiple range, which RFC 9110 allows a server to ignore. */
export type RequestedRange = 'whole' | 'unsatisfiable' | ByteRange

export function parseRange(header: string | undefined, size: number): RequestedRange {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') return suffixRange(Number(last), size)
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end }
}

const suffixRange = (length: number, size: number): RequestedRange =>
  length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 }
