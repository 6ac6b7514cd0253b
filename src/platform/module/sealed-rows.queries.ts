import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { SealedRows, Tables } from './tables.ts'

/** A condition on the rows of a table, which is never null. */
export type RowCondition = RawBuilder<boolean>

const filesTable = 'platform.files'

export function listSealedConditions(tables: Tables): Map<string, RowCondition> {
  const rules = Object.entries(tables)
  const conditions = new Map(
    rules.flatMap(([table, { seal_rows: rule }]): [string, RowCondition][] =>
      rule ? [[table, isSealed(table, rule)]] : [],
    ),
  )
  const files = rules.flatMap(([table, { seal_rows: rule }]) => (rule?.files ? [isUnshared(table, rule)] : []))
  return files.length ? conditions.set(filesTable, sql<boolean>`(${sql.join(files, sql` or `)})`) : conditions
}

function isSealed(table: string, { when, parent }: SealedRows): RowCondition {
  if (!parent) return hasValues(table, when)
  const key = sql.ref(`${table}.${parent.key}`)
  return sql`exists (select from ${sql.table(parent.table)} as parent where parent.id = ${key} and ${hasValues('parent', when)})`
}

const hasValues = (table: string, when: SealedRows['when']): RowCondition =>
  sql`(${sql.join(
    Object.entries(when).map(([column, value]) => sql`${sql.ref(`${table}.${column}`)} is not distinct from ${value}`),
    sql` and `,
  )})`

/** A file that no row refers to any more may have been a sealed one. */
function isUnshared(table: string, { when, files }: SealedRows): RowCondition {
  const refersTo = sql`any (array(
    select platform.files.id union all
    select source.id from platform.files as source where source.thumbnail_file_id = platform.files.id))`
  return sql`(platform.files.purpose = ${files!.purpose} and not exists (
    select from ${sql.table(table)} as shared
    where ${sql.ref(`shared.${files!.column}`)} = ${refersTo} and not ${hasValues('shared', when)}))`
}

export async function listSealedFileIds(tx: TenantTx, tables: Tables): Promise<Set<string>> {
  const isSealed = listSealedConditions(tables).get(filesTable)
  if (!isSealed) return new Set()
  const { rows } = await sql<{ id: string }>`select id from platform.files where ${isSealed}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export async function hasSealedChangesSince(tx: TenantTx, tables: Tables, since: Date): Promise<boolean> {
  const changes = Object.entries(tables).flatMap(([table, { seal_rows: rule }]) =>
    rule && !rule.parent
      ? [sql`exists (select from ${sql.table(table)} where ${isSealed(table, rule)} and updated_at > ${since})`]
      : [],
  )
  const { rows } = await sql<{ is_changed: boolean }>`
    select ${changes.length ? sql.join(changes, sql` or `) : sql`false`} as is_changed
  `.execute(tx)
  return rows[0]!.is_changed
}
