import { createHash } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import { canonicalJson } from '#platform/canonical-json'
import { CalendarDay, Id } from '#platform/schema'

/** How a column travels in a cursor. An instant goes as microseconds, since a Date would lose some of it and rows with it. */
const keySchemas = {
  whole: Type.Integer({ minimum: -9e15, maximum: 9e15 }),
  instant: Type.Integer({ minimum: -9e15, maximum: 9e15 }),
  day: CalendarDay,
  text: Type.String({ maxLength: 400 }),
}
export type SortKind = keyof typeof keySchemas

/** What a list is sorted by, besides the id that settles ties in the same direction. */
export type SortOrder = {
  column: string
  kind: SortKind
  isDescending: boolean
  /** Rows without a value come last, whatever the direction: they are walked after the others. */
  hasGaps: boolean
}

/** Where a page ended: whether among the rows without a value, and the key of its last row. */
export type ListCursor = { isInGap: boolean; value: string | number | null; id: string }

/** A cursor names the list it belongs to, so that it is not taken to another one. */
export function cursorSchema(fingerprint: string, { kind, hasGaps }: SortOrder): TSchema {
  const list = Type.Literal(fingerprint)
  const valued = Type.Tuple([list, keySchemas[kind], Id])
  return hasGaps ? Type.Union([valued, Type.Tuple([list, Type.Null(), Id])]) : valued
}

/** The same for the same filters and sort, so that a cursor is not taken to another list. */
export const fingerprintOf = (filters: object): string =>
  createHash('sha256').update(canonicalJson(filters)).digest('base64url').slice(0, 10)
