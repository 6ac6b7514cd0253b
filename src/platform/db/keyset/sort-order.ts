import { createHash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import { type TSchema, Type } from 'typebox'
import { canonicalJson } from '#platform/canonical-json'
import { CalendarDay, Id } from '#platform/schema'

/** Timestamps are encoded in microseconds: the milliseconds of a Date would skip rows. */
const keySchemas = {
  integer: Type.Integer({ minimum: -9e15, maximum: 9e15 }),
  timestamp: Type.Integer({ minimum: -9e15, maximum: 9e15 }),
  date: CalendarDay,
  text: Type.String({ maxLength: 400 }),
  boolean: Type.Boolean(),
}
export type SortColumnType = keyof typeof keySchemas

/** Sort columns and their types, most significant first; `id` is appended as a tiebreaker. */
export type SortOrder = {
  by: Readonly<Record<string, SortColumnType>>
  isDescending: boolean
  /** Rows with a null come last in both directions. */
  isNullable?: boolean
  /** Sort columns that are expressions of an index. */
  calculated?: Readonly<Record<string, RawBuilder<unknown>>>
}
export type SortOrders = Readonly<Record<string, Omit<SortOrder, 'isDescending'>>>

export function sortOrderOf(orders: SortOrders, sort: string): SortOrder {
  const isDescending = sort.startsWith('-')
  return { ...orders[isDescending ? sort.slice(1) : sort]!, isDescending }
}

export type CursorPosition = { key: readonly (string | number | boolean)[] | null; id: string }

export function cursorSchema(listId: string, { by, isNullable }: SortOrder): TSchema {
  const key = Type.Tuple(Object.values(by).map((type) => keySchemas[type]))
  return Type.Tuple([Type.Literal(listId), isNullable ? Type.Union([key, Type.Null()]) : key, Id])
}

export const filterFingerprint = (filters: object): string =>
  createHash('sha256').update(canonicalJson(filters)).digest('base64url').slice(0, 10)
