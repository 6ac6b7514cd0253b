import { type TSchema, Type } from 'typebox'
import { Id } from '#platform/schema'
import type { LeadSort } from './leads.schemas.ts'

/** What a list can be sorted by, besides the id that settles ties. */
type SortColumn =
  | 'priority_rank'
  | 'score'
  | 'created_at'
  | 'updated_at'
  | 'last_activity_at'
  | 'name_key'
  | 'company_key'
  | 'sla_due_at'

export type SortOrder = {
  columns: readonly SortColumn[]
  isDescending: boolean
  /** Rows without a value come last, whatever the direction: they are walked after the others. */
  hasGaps: boolean
}

const orders: Record<string, Pick<SortOrder, 'columns' | 'hasGaps'>> = {
  priority: { columns: ['priority_rank', 'created_at'], hasGaps: false },
  score: { columns: ['score'], hasGaps: false },
  created_at: { columns: ['created_at'], hasGaps: false },
  updated_at: { columns: ['updated_at'], hasGaps: false },
  last_activity_at: { columns: ['last_activity_at'], hasGaps: true },
  name: { columns: ['name_key'], hasGaps: true },
  company: { columns: ['company_key'], hasGaps: true },
  sla_due_at: { columns: ['sla_due_at'], hasGaps: true },
}

export function orderOf(sort: LeadSort): SortOrder {
  const isDescending = sort.startsWith('-')
  return { ...orders[isDescending ? sort.slice(1) : sort]!, isDescending }
}

/** An instant travels in a cursor as microseconds, since a Date would lose some of it and rows with it. */
export const kinds = {
  priority_rank: 'small',
  score: 'small',
  created_at: 'instant',
  updated_at: 'instant',
  last_activity_at: 'instant',
  sla_due_at: 'instant',
  name_key: 'text',
  company_key: 'text',
} as const satisfies Record<SortColumn, string>

const keySchemas = {
  small: Type.Integer({ minimum: -32_768, maximum: 32_767 }),
  instant: Type.Integer({ minimum: -9e15, maximum: 9e15 }),
  text: Type.String({ maxLength: 400 }),
}

/** A cursor: which list it is of, whether it is among the rows without a value, and the key of the last row. */
export type LeadCursor = { gap: boolean; key: (string | number)[] }

export function cursorSchema(fingerprint: string, { columns, hasGaps }: SortOrder): TSchema {
  const list = Type.Literal(fingerprint)
  const key = columns.map((column) => keySchemas[kinds[column]])
  const valued = Type.Tuple([list, Type.Literal(0), ...key, Id])
  return hasGaps ? Type.Union([valued, Type.Tuple([list, Type.Literal(1), Id])]) : valued
}
