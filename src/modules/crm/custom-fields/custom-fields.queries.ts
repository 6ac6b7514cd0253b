import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import { acquireAdvisoryLock, type Database, decodeCursor, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id } from '#platform/schema'
import type {
  CustomFieldQuery,
  CustomFieldType,
  FieldMapping,
  FieldOption,
  FieldValidation,
  ObjectType,
} from './custom-fields.schemas.ts'

type CustomFields = Database['crm.custom_fields']

const columns = [
  ...(['id', 'object_type', 'key', 'label', 'description', 'type', 'options', 'validation', 'default_value'] as const),
  ...(['is_required', 'is_unique', 'is_filterable', 'is_active', 'is_personal', 'group_label', 'position'] as const),
  ...(['maps_to', 'index_state', 'created_at', 'updated_at', 'deleted_at', 'version'] as const),
] as const

type JsonColumns = {
  object_type: ObjectType
  type: CustomFieldType
  options: FieldOption[]
  validation: FieldValidation
  maps_to: FieldMapping | null
  index_state: 'none' | 'building' | 'ready'
}
export type CustomFieldRow = Omit<Pick<Selectable<CustomFields>, (typeof columns)[number]>, keyof JsonColumns> &
  JsonColumns

const toRows = (rows: unknown) => rows as CustomFieldRow[]

/** Serializes changes of definitions and waits for transactions that write values. Lock no records afterwards. */
export async function lockCustomFields(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'custom_fields')
}

const fieldsByTransaction = new WeakMap<TenantTx, Map<ObjectType, CustomFieldRow[]>>()

/** Reads the definitions, which stay unchanged until the transaction ends. */
export async function lockCustomFieldsShared(tx: TenantTx, objectType: ObjectType): Promise<CustomFieldRow[]> {
  const known = fieldsByTransaction.get(tx) ?? new Map<ObjectType, CustomFieldRow[]>()
  fieldsByTransaction.set(tx, known)
  const fields = known.get(objectType) ?? (await selectLockedFields(tx, objectType))
  known.set(objectType, fields)
  return fields
}

async function selectLockedFields(tx: TenantTx, objectType: ObjectType): Promise<CustomFieldRow[]> {
  const { rows } = await sql`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from crm.lock_custom_fields_shared(${objectType})
  `.execute(tx)
  return toRows(rows)
}

/** Includes fields whose values are still being deleted. */
export async function listFieldsOf(tx: TenantTx, objectType: ObjectType): Promise<CustomFieldRow[]> {
  const rows = await tx
    .selectFrom('crm.custom_fields')
    .select(columns)
    .where('object_type', '=', objectType)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return toRows(rows)
}

const SortKey = Type.Tuple([Type.String({ maxLength: 20 }), Type.Integer({ minimum: 0, maximum: 1e9 }), Id])

export async function listCustomFieldRows(tx: TenantTx, { object_type, is_active, ...page }: CustomFieldQuery) {
  let fields = tx.selectFrom('crm.custom_fields').where('deleted_at', 'is', null)
  if (object_type) fields = fields.where('object_type', '=', sql<string>`any(${object_type}::text[])`)
  if (is_active !== undefined) fields = fields.where('is_active', '=', is_active)
  let selected = fields
    .select(columns)
    .orderBy('object_type')
    .orderBy('position')
    .orderBy('id')
    .limit(page.limit + 1)
  if (page.cursor) {
    const [type, position, id] = decodeCursor(page.cursor, SortKey)
    selected = selected.where(sql<boolean>`(object_type, position, id) > (${type}, ${position}::integer, ${id}::uuid)`)
  } else selected = selected.offset(page.offset)
  const rows = toRows(await selected.execute())
  return toPage(rows, await totalOf(tx, fields, page), page, (row) => [row.object_type, row.position, row.id])
}

export async function lockCustomField(tx: TenantTx, id: string): Promise<CustomFieldRow | undefined> {
  const row = await tx
    .selectFrom('crm.custom_fields')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && toRows([row])[0]
}

export async function findCustomFieldIncludingDeleted(tx: TenantTx, id: string): Promise<CustomFieldRow | undefined> {
  const row = await tx.selectFrom('crm.custom_fields').select(columns).where('id', '=', id).executeTakeFirst()
  return row && toRows([row])[0]
}

export async function insertCustomField(tx: TenantTx, field: Insertable<CustomFields>): Promise<CustomFieldRow> {
  const row = await tx.insertInto('crm.custom_fields').values(field).returning(columns).executeTakeFirstOrThrow()
  return toRows([row])[0]!
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
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toRows([row])[0]!
}

export async function deleteCustomFieldRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('crm.custom_fields').where('id', '=', id).execute()
}

/** Returns the fields whose position changed. */
export async function updatePositions(tx: TenantTx, ids: readonly string[]): Promise<CustomFieldRow[]> {
  const { rows } = await sql`
    update crm.custom_fields field set position = ordered.position
    from unnest(${ids}::uuid[]) with ordinality as ordered (id, position)
    where field.id = ordered.id and field.position <> ordered.position
    returning ${sql.join(columns.map((column) => sql.ref(`field.${column}`)))}
  `.execute(tx)
  return toRows(rows)
}
