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

/** What a list is sorted by, the first column first, besides the id that settles ties in the same direction. */
export type SortOrder = {
  by: Readonly<Record<string, SortKind>>
  isDescending: boolean
  /** Rows without a value come last, whatever the direction: they are walked after the others. */
  hasGaps?: boolean
}
export type SortOrders = Readonly<Record<string, Omit<SortOrder, 'isDescending'>>>

/** The order a sort asks for by its name, or backwards by its name after a minus. */
export function orderOf(orders: SortOrders, sort: string): SortOrder {
  const isDescending = sort.startsWith('-')
  return { ...orders[isDescending ? sort.slice(1) : sort]!, isDescending }
}

/** Where a page ended: the key of its last row, or none if it has no value. */
export type ListCursor = { key: readonly (string | number)[] | null; id: string }

/** A cursor names the list it belongs to, so that it is not taken to another one. */
export function cursorSchema(list: string, { by, hasGaps }: SortOrder): TSchema {
  const key = Type.Tuple(Object.values(by).map((kind) => keySchemas[kind]))
  return Type.Tuple([Type.Literal(list), hasGaps ? Type.Union([key, Type.Null()]) : key, Id])
}

/** The same for the same filters and sort. */
export const fingerprintOf = (filters: object): string =>
  createHash('sha256').update(canonicalJson(filters)).digest('base64url').slice(0, 10)
