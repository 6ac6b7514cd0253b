import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { MergeReference, Registry } from '#platform/module'

export type RepointedRows = Record<string, Record<string, string[]>>

type References = Pick<Registry, 'mergeReferences'>

type Part = { to: MergeReference['to']; isAfterConsent: boolean }

const followingReferences = ({ mergeReferences }: References, { to, isAfterConsent }: Part) =>
  mergeReferences.filter(
    (reference) =>
      reference.to === to && reference.followsMerge && (reference.isAfterConsent ?? false) === isAfterConsent,
  )

const parseReference = ({ column, rowKey = 'id' }: MergeReference) => {
  const [schema, table, name] = column.split('.')
  return { table: sql.table(`${schema}.${table}`), column: sql.ref(name!), key: sql.ref(rowKey) }
}

/**
 * Points the rows of merged records to the surviving one, with one statement per registered column. A merge calls it before and after it
 * locks the consent of the persons.
 */
export async function repointReferences(
  tx: TenantTx,
  registry: References,
  merge: Part & { fromIds: readonly string[]; toId: string },
): Promise<RepointedRows> {
  const repointed: RepointedRows = {}
  for (const reference of followingReferences(registry, merge)) {
    const rows = await repointRows(tx, reference, merge.fromIds, merge.toId)
    const byRecord = Map.groupBy(rows, ({ from_id }) => from_id)
    if (rows.length)
      repointed[reference.column] = Object.fromEntries(
        [...byRecord].map(([id, own]) => [id, own.map((row) => row.key)]),
      )
  }
  return repointed
}

/** Rows are locked in the order of their keys. Of several rows with one unique key, that of the first merged record moves. */
async function repointRows(tx: TenantTx, reference: MergeReference, fromIds: readonly string[], toId: string) {
  const { table, column, key } = parseReference(reference)
  const isNotTaken = reference.isUnique
    ? sql`and not exists (select from ${table} existing where existing.${column} = ${toId} and existing.${key} = child.${key})`
    : sql``
  const { rows } = await sql<{ key: string; from_id: string }>`
    with locked as (
      select ${key}, ${column} as from_id from ${table} where ${column} = any (${fromIds}::uuid[])
      order by ${key} for no key update
    ), chosen as (
      select distinct on (${key}) ${key}, from_id from locked order by ${key}, array_position(${fromIds}::uuid[], from_id)
    )
    update ${table} child set ${column} = ${toId}::uuid from chosen
    where child.${column} = chosen.from_id and child.${key} = chosen.${key} ${isNotTaken}
    returning child.${key}, child.${key}::text as key, chosen.from_id
  `.execute(tx)
  return rows
}

/** Points rows that still belong to the surviving record back to those they had before the merge. */
export async function restoreReferences(
  tx: TenantTx,
  registry: References,
  repointed: RepointedRows,
  { fromId, toIds, ...part }: Part & { fromId: string; toIds: readonly string[] },
): Promise<void> {
  for (const reference of followingReferences(registry, part)) {
    const rows = Object.entries(repointed[reference.column] ?? {})
      .filter(([id]) => toIds.includes(id))
      .flatMap(([id, keys]) => keys.map((key) => ({ id, key })))
    if (!rows.length) continue
    const { table, column, key } = parseReference(reference)
    await sql`
      with locked as (
        select ${key} from ${table} where ${column} = ${fromId} order by ${key} for no key update
      )
      update ${table} child set ${column} = previous.record_id
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.key)}::text[]) as previous (record_id, row_key)
        join locked on locked.${key}::text = previous.row_key
      where child.${column} = ${fromId} and child.${key} = locked.${key}
    `.execute(tx)
  }
}
