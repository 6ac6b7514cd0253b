import { type RawBuilder, sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import type { CustomValues, ObjectType } from './custom-values.schemas.ts'
import type { CustomFieldRow } from './field-definitions.queries.ts'
import type { IndexEntry, UniqueValue } from './index-entries.rules.ts'

export const recordTables = {
  lead: 'crm.leads',
  contact: 'crm.contacts',
  account: 'crm.accounts',
  opportunity: 'crm.opportunities',
} as const satisfies Record<ObjectType, string>

const objectTypeOf = (table: string) => Object.entries(recordTables).find(([, name]) => name === table)?.[0]

/** The values of a record without those of inactive fields, in the statement that reads the record. */
export const visibleCustom = (table: string): RawBuilder<unknown> =>
  sql`custom - (select crm.hidden_custom_keys(${sql.lit(objectTypeOf(table))}))`

export async function removeHiddenValues<Row extends { custom: unknown }>(
  tx: TenantTx,
  objectType: ObjectType,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.every(({ custom }) => !Object.keys(custom as CustomValues).length)) return [...rows]
  const hidden = sql<{ keys: string[] }>`(select crm.hidden_custom_keys(${objectType}) as keys)`
  const { keys } = await tx.selectFrom(hidden.as('hidden')).select('hidden.keys').executeTakeFirstOrThrow()
  return rows.map((row) => {
    const values = Object.entries(row.custom as CustomValues).filter(([key]) => !keys.includes(key))
    return { ...row, custom: Object.fromEntries(values) }
  })
}

/** Replaces the index rows of records for these fields, in one statement. */
export async function replaceIndexEntries(
  tx: TenantTx,
  fieldIds: readonly string[],
  recordIds: readonly string[],
  entries: readonly IndexEntry[],
): Promise<void> {
  await sql`
    with entry as (
      select field_id, record_id, ord, txt, num, ts from json_to_recordset(${JSON.stringify(entries)}::json)
        as entry (field_id uuid, record_id uuid, ord smallint, txt text, num double precision, ts timestamptz)
    ), removed as (
      delete from crm.custom_field_index stored
      where field_id = any (${fieldIds}::uuid[]) and record_id = any (${recordIds}::uuid[])
        and not exists (select from entry where entry.field_id = stored.field_id
          and entry.record_id = stored.record_id and entry.ord = stored.ord)
    )
    insert into crm.custom_field_index (field_id, record_id, ord, txt, num, ts)
    select field_id, record_id, ord, txt, num, ts from entry
    on conflict (tenant_id, field_id, record_id, ord) do update set txt = excluded.txt, num = excluded.num, ts = excluded.ts
  `.execute(tx)
}

/** Inserts values in a fixed order, waits for concurrent transactions, and returns those that no other record has. */
export async function insertUniqueValues(tx: TenantTx, values: readonly UniqueValue[]): Promise<UniqueValue[]> {
  const ordered = values.toSorted((one, other) => (one.value_hash < other.value_hash ? -1 : 1))
  const { columns, rows } = selectRows(ordered, { field_id: 'uuid', value_hash: 'text', record_id: 'uuid' })
  return await tx
    .insertInto('crm.custom_field_unique')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) => conflict.constraint('custom_field_unique_value').doNothing())
    .returning(columns)
    .execute()
}

export async function findUniqueValues(tx: TenantTx, values: readonly UniqueValue[]): Promise<UniqueValue[]> {
  const column = (name: 'field_id' | 'value_hash') => values.map((value) => value[name])
  const { rows } = await sql<UniqueValue>`
    select taken.field_id, taken.value_hash, taken.record_id
    from unnest(${column('field_id')}::uuid[], ${column('value_hash')}::text[]) as wanted (field_id, value_hash)
    join crm.custom_field_unique taken on taken.field_id = wanted.field_id and taken.value_hash = wanted.value_hash
  `.execute(tx)
  return rows
}

export async function deleteUniqueValues(tx: TenantTx, recordIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('crm.custom_field_unique')
    .where('record_id', '=', sql<string>`any(${recordIds}::uuid[])`)
    .execute()
}

export async function deleteIndexEntries(tx: TenantTx, recordIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('crm.custom_field_index')
    .where('record_id', '=', sql<string>`any(${recordIds}::uuid[])`)
    .execute()
}

type Field = Pick<CustomFieldRow, 'id' | 'object_type' | 'key'>

export async function countRecordsWithValue(tx: TenantTx, field: Field, limit: number): Promise<number> {
  const { rows } = await sql<{ records: number }>`
    select count(*)::integer as records from (
      select from ${sql.table(recordTables[field.object_type])} where custom ? ${field.key}::text limit ${sql.lit(limit)}
    ) as used
  `.execute(tx)
  return rows[0]!.records
}

export async function countOptionUse(
  tx: TenantTx,
  { object_type, key }: Field,
  options: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ option: string; records: number }>`
    select chosen.option, count(*)::integer as records from ${sql.table(recordTables[object_type])} record
    cross join lateral jsonb_array_elements_text(case jsonb_typeof(record.custom -> ${key}::text)
      when 'array' then record.custom -> ${key}::text else jsonb_build_array(record.custom -> ${key}::text) end) as chosen (option)
    where record.custom ? ${key}::text and chosen.option = any (${options}::text[])
    group by chosen.option
  `.execute(tx)
  return new Map(rows.map(({ option, records }) => [option, records]))
}

export type StoredValue = { id: string; value: unknown; is_deleted: boolean }

/** Lists the values of one field in id order, deleted records included. */
export async function listStoredValues(
  tx: TenantTx,
  { object_type, key }: Field,
  { after, limit, lock = false }: { after: string; limit: number; lock?: boolean },
): Promise<StoredValue[]> {
  const { rows } = await sql<StoredValue>`
    select id, custom -> ${key}::text as value, deleted_at is not null as is_deleted
    from ${sql.table(recordTables[object_type])}
    where id > ${after}::uuid and custom ? ${key}::text
    order by id limit ${sql.lit(limit)} ${lock ? sql`for no key update` : sql``}
  `.execute(tx)
  return rows
}

/** Sets one value in many records; null removes it. */
export async function updateStoredValues(
  tx: TenantTx,
  { object_type, key }: Field,
  values: readonly { id: string; value: unknown }[],
): Promise<void> {
  const json = JSON.stringify(values.map(({ id, value }) => ({ id, value })))
  await sql`
    update ${sql.table(recordTables[object_type])} record
    set custom = case when changed.value is null or changed.value = 'null'::jsonb then record.custom - ${key}::text
      else jsonb_set(record.custom, array[${key}::text], changed.value) end
    from jsonb_to_recordset(${json}::jsonb) as changed (id uuid, value jsonb)
    where record.id = changed.id
  `.execute(tx)
}

export async function deleteFieldEntries(tx: TenantTx, fieldId: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from crm.custom_field_index where field_id = ${fieldId} and record_id = any (array(
      select record_id from crm.custom_field_index where field_id = ${fieldId} order by record_id limit ${sql.lit(limit)}))
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function deleteFieldUniqueValues(tx: TenantTx, fieldId: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from crm.custom_field_unique stored
    using (select value_hash from crm.custom_field_unique where field_id = ${fieldId}::uuid order by value_hash limit ${sql.lit(limit)}) as first
    where stored.field_id = ${fieldId}::uuid and stored.value_hash = first.value_hash
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Sets the search texts of custom fields where they differ. A trigger adds them to the search texts of the records. */
export async function updateCustomTexts(
  tx: TenantTx,
  objectType: ObjectType,
  texts: readonly { id: string; text: string }[],
): Promise<void> {
  await sql`
    update ${sql.table(recordTables[objectType])} record set custom_text = changed.text
    from unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ text }) => text)}::text[]) as changed (id, text)
    where record.id = changed.id and record.custom_text <> changed.text
  `.execute(tx)
}

/** Locks records with custom values or a search text of them, in id order, deleted ones included. */
export async function lockRecordsWithValues(
  tx: TenantTx,
  objectType: ObjectType,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; custom: CustomValues }[]> {
  const { rows } = await sql<{ id: string; custom: CustomValues }>`
    select id, custom from ${sql.table(recordTables[objectType])}
    where id > ${after}::uuid and (custom <> '{}'::jsonb or custom_text <> '')
    order by id limit ${sql.lit(limit)} for no key update
  `.execute(tx)
  return rows
}
