import { type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import type {
  CustomFieldType,
  FieldMapping,
  FieldOption,
  FieldValidation,
  ObjectType,
} from './custom-values.schemas.ts'

type CustomFields = Database['crm.custom_fields']

export const customFieldColumns = [
  'id',
  'object_type',
  'key',
  'label',
  'description',
  'type',
  'options',
  'validation',
  'default_value',
  'is_required',
  'is_unique',
  'is_filterable',
  'is_searchable',
  'is_active',
  'is_personal',
  'group_label',
  'position',
  'maps_to',
  'index_state',
  'unique_state',
  'duplicate_record_ids',
  'created_at',
  'updated_at',
  'deleted_at',
  'version',
] as const

type JsonColumns = {
  object_type: ObjectType
  type: CustomFieldType
  options: FieldOption[]
  validation: FieldValidation
  maps_to: FieldMapping | null
  index_state: 'none' | 'building' | 'ready'
  unique_state: 'none' | 'building' | 'ready' | 'failed'
}
export type CustomFieldRow = Omit<
  Pick<Selectable<CustomFields>, (typeof customFieldColumns)[number]>,
  keyof JsonColumns
> &
  JsonColumns

export const toCustomFieldRows = (rows: unknown) => rows as CustomFieldRow[]

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
    select ${sql.join(customFieldColumns.map((column) => sql.ref(column)))} from crm.lock_custom_fields_shared(${objectType})
  `.execute(tx)
  return toCustomFieldRows(rows)
}

/** Includes fields whose values are still being deleted. */
export async function listFieldsOf(tx: TenantTx, objectType: ObjectType): Promise<CustomFieldRow[]> {
  const rows = await tx
    .selectFrom('crm.custom_fields')
    .select(customFieldColumns)
    .where('object_type', '=', objectType)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return toCustomFieldRows(rows)
}
