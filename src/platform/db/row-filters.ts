import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A period and the one of the same length before it, which ends where the period begins. */
export type ComparedPeriod = { from: Date; to: Date; previousFrom: Date }

type Filter = RawBuilder<SqlBool>

export const isInPeriod = (column: string, { from, to }: ComparedPeriod): Filter =>
  sql<SqlBool>`${sql.ref(column)} >= ${from} and ${sql.ref(column)} <= ${to}`

export const isInPreviousPeriod = (column: string, { from, previousFrom }: ComparedPeriod): Filter =>
  sql<SqlBool>`${sql.ref(column)} >= ${previousFrom} and ${sql.ref(column)} < ${from}`

/** Matches rows of the ids; null stands for all rows. */
export const isAnyOf = (column: string, ids: readonly string[] | null): Filter =>
  ids === null ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(column)} = any (${ids}::uuid[])`
