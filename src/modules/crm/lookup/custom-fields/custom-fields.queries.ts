import { type Insertable, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import { acquireAdvisoryLock, type Database, decodeCursor, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id } from '#platform/schema'
import {
  type CustomFieldRow,
  customFieldColumns,
  toCustomFieldRows,
} from '../../records/custom-values/field-definitions.queries.ts'
import type { CustomFieldQuery } from './custom-fields.schemas.ts'

type CustomFields = Database['crm.custom_fields']

/** Serializes changes of definitions and waits for transactions that write values. Lock no records afterwards. */
export async function lockCustomFields(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'custom_fields')
}

const SortKey = Type.Tuple([Type.String({ maxLength: 20 }), Type.Integer({ minimum: 0, maximum: 1e9 }), Id])

export async function listCustomFieldRows(tx: TenantTx, { object_type, is_active, ...page }: CustomFieldQuery) {
  let fields = tx.selectFrom('crm.custom_fields').where('deleted_at', 'is', null)
  if (object_type) fields = fields.where('object_type', '=', sql<string>`any(${object_type}::text[])`)
  if (is_active !== undefined) fields = fields.where('is_active', '=', is_active)
  let selected = fields
    .select(customFieldColumns)
    .orderBy('object_type')
    .orderBy('position')
    .orderBy('id')
    .limit(page.limit + 1)
  if (page.cursor) {
    const [type, position, id] = decodeCursor(page.cursor, SortKey)
    selected = selected.where(sql<boolean>`(object_type, position, id) > (${type}, ${position}::integer, ${id}::uuid)`)
  } else selected = selected.offset(page.offset)
  const rows = toCustomFieldRows(await selected.execute())
  return toPage(rows, await totalOf(tx, fields, page), page, (row) => [row.object_type, row.position, row.id])
}

/** Leaves out deleted and unknown fields. */
export async function listCustomFieldsById(tx: TenantTx, ids: readonly string[]): Promise<CustomFieldRow[]> {
  const rows = await tx
    .selectFrom('crm.custom_fields')
    .select(customFieldColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return toCustomFieldRows(rows)
}

export async function lockCustomField(tx: TenantTx, id: string): Promise<CustomFieldRow | undefined> {
  const row = await tx
    .selectFrom('crm.custom_fields')
    .select(customFieldColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && toCustomFieldRows([row])[0]
}

export async function findCustomFieldIncludingDeleted(tx: TenantTx, id: string): Promise<CustomFieldRow | undefined> {
  const row = await tx
    .selectFrom('crm.custom_fields')
    .select(customFieldColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toCustomFieldRows([row])[0]
}

export async function insertCustomField(tx: TenantTx, field: Insertable<CustomFields>): Promise<CustomFieldRow> {
  const row = await tx
    .insertInto('crm.custom_fields')
    .values(field)
    .returning(customFieldColumns)
    .executeTakeFirstOrThrow()
  return toCustomFieldRows([row])[0]!
}

export async function updateCustomFieldRow(
  tx: TenantTx,
  id: string,
  fields: Updateable<CustomFields>,
): Promise<CustomFieldRow> {
  const row = await tx
    .updateTable('crm.custom_fields')
    .set(fields)
    .where('id', '=', id)
    .returning(customFieldColumns)
    .executeTakeFirstOrThrow()
  return toCustomFieldRows([row])[0]!
}

export async function deleteCustomFieldRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('crm.custom_fields').where('id', '=', id).execute()
}

export async function updatePositions(tx: TenantTx, ids: readonly string[]): Promise<CustomFieldRow[]> {
  const { rows } = await sql`
    update crm.custom_fields field set position = ordered.position
    from unnest(${ids}::uuid[]) with ordinality as ordered (id, position)
    where field.id = ordered.id and field.position <> ordered.position
    returning ${sql.join(customFieldColumns.map((column) => sql.ref(`field.${column}`)))}
  `.execute(tx)
  return toCustomFieldRows(rows)
}
