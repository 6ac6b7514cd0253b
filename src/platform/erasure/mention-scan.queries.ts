import { type RawBuilder, sql } from 'kysely'
import { containsAnyText, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'

const rowsPerScan = 5_000

type ScannedTexts = {
  table: string
  /** Unique column of UUIDs. */
  key?: string
  columns: readonly string[]
  mentions: readonly string[]
  after?: string
}
type MentionScan = { ids: string[]; next: string | null }

/** Reads a bounded number of rows in the order of their ids, because no index finds a text inside another one. */
export async function scanForMentions(
  tx: TenantTx,
  { table, key = 'id', columns, mentions, after = nilUuid }: ScannedTexts,
): Promise<MentionScan> {
  const text = sql.join(columns.map((column) => sql`${sql.ref(column)}::text`))
  const { rows } = await sql<MentionScan>`
    with scanned as materialized (
      select ${sql.ref(key)} as id, concat_ws(' ', ${text}) as text from ${sql.table(table)}
      where ${sql.ref(key)} > ${after}::uuid order by ${sql.ref(key)} limit ${sql.lit(rowsPerScan)}
    )
    select array(select id::text from scanned where ${containsAnyText(sql`text`, mentions)} order by id) as ids,
      case when (select count(*) from scanned) = ${sql.lit(rowsPerScan)}
        then (select id from scanned order by id desc limit 1) end as next
  `.execute(tx)
  return rows[0]!
}

type TextRow = { id: string } & Record<string, string | null>

/** In the order of the ids, to avoid deadlocks. */
export async function lockTextRows(
  tx: TenantTx,
  table: string,
  columns: readonly string[],
  ids: readonly string[],
): Promise<TextRow[]> {
  const { rows } = await sql<TextRow>`
    select id, ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
    where id = any (${ids}::uuid[]) order by id for no key update
  `.execute(tx)
  return rows
}

export async function updateTextRows(
  tx: TenantTx,
  table: string,
  columns: readonly string[],
  texts: readonly TextRow[],
): Promise<void> {
  const join = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts)
  await sql`
    update ${sql.table(table)} record
    set ${join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`erased.${column}`)}`))}
    from json_to_recordset(${JSON.stringify(texts)}::json)
      as erased (id uuid, ${join(columns.map((column) => sql`${sql.ref(column)} text`))})
    where record.id = erased.id
  `.execute(tx)
}
