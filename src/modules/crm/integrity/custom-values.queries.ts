import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { recordTables } from '../records/custom-values/custom-values.queries.ts'
import type { CustomValues, ObjectType } from '../records/custom-values/custom-values.schemas.ts'

export async function listUnknownKeys(
  tx: TenantTx,
  objectType: ObjectType,
  keys: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(recordTables[objectType])}
    where custom <> '{}' and custom - ${keys}::text[] <> '{}' limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export type ValueKind = { key: string; kind: 'string' | 'number' | 'boolean' | 'array' | 'object' }

/** Lists records with a value whose JSON type is not the one of its field. */
export async function listMistypedValues(
  tx: TenantTx,
  objectType: ObjectType,
  kinds: readonly ValueKind[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select record.id from ${sql.table(recordTables[objectType])} record
    where record.custom <> '{}' and exists (
      select from unnest(${kinds.map(({ key }) => key)}::text[], ${kinds.map(({ kind }) => kind)}::text[]) as field (key, kind)
      where jsonb_typeof(record.custom -> field.key) not in (field.kind, 'null')
    ) limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export type ValuedRecord = { id: string; custom: CustomValues; is_deleted: boolean }

export async function lockValues(
  tx: TenantTx,
  objectType: ObjectType,
  ids: readonly string[],
): Promise<ValuedRecord[]> {
  const { rows } = await sql<ValuedRecord>`
    select id, custom, deleted_at is not null as is_deleted from ${sql.table(recordTables[objectType])}
    where id = any (${ids}::uuid[]) order by id for no key update
  `.execute(tx)
  return rows
}

export async function updateValues(
  tx: TenantTx,
  objectType: ObjectType,
  records: readonly ValuedRecord[],
): Promise<void> {
  await sql`
    update ${sql.table(recordTables[objectType])} record set custom = changed.custom
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as changed (id uuid, custom jsonb) where record.id = changed.id
  `.execute(tx)
}
