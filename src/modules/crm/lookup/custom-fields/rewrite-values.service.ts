import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import {
  deleteFieldEntries,
  deleteFieldUniqueValues,
  listStoredValues,
  lockRecordsWithValues,
  replaceIndexEntries,
  type StoredValue,
  updateStoredValues,
} from '../../records/custom-values/custom-values.queries.ts'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { type CustomFieldRow, lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import { storeCustomTexts, toEntries } from '../../records/custom-values/store-custom-values.service.ts'
import { deleteCustomFieldRow, findCustomFieldIncludingDeleted, updateCustomFieldRow } from './custom-fields.queries.ts'

const batchSize = 1_000

type Batch = { field: CustomFieldRow; values: StoredValue[]; next: string | null }

/** Locks the records before the definitions, as every write of values does. */
export async function lockBatch(tx: TenantTx, fieldId: string, after: string): Promise<Batch | undefined> {
  const known = await findCustomFieldIncludingDeleted(tx, fieldId)
  if (!known) return undefined
  const values = await listStoredValues(tx, known, { after, limit: batchSize, lock: true })
  const field = (await lockCustomFieldsShared(tx, known.object_type)).find(({ id }) => id === fieldId)
  return field && { field, values, next: values.length < batchSize ? null : values.at(-1)!.id }
}

export async function indexValuesBatch(tx: TenantTx, fieldId: string, after: string): Promise<string | null> {
  const batch = await lockBatch(tx, fieldId, after)
  if (batch?.field.index_state !== 'building') return null
  await indexValues(tx, batch.field, batch.values)
  if (batch.next === null) await updateCustomFieldRow(tx, fieldId, { index_state: 'ready' })
  return batch.next
}

async function indexValues(
  tx: TenantTx,
  field: CustomFieldRow,
  values: readonly { id: string; value: unknown }[],
): Promise<void> {
  const records = values.map(({ id, value }) => ({ id, custom: { [field.key]: value } }))
  const entries = await toEntries(tx, [field], records)
  const recordIds = values.map(({ id }) => id)
  if (recordIds.length) await replaceIndexEntries(tx, [field.id], recordIds, entries)
}

/** Replaces removed options and turns single options into lists after a change to `multi_select`. */
export async function rewriteValuesBatch(
  tx: TenantTx,
  fieldId: string,
  replaceOptions: Readonly<Record<string, string | null>>,
  after: string,
): Promise<string | null> {
  const batch = await lockBatch(tx, fieldId, after)
  if (!batch || batch.field.deleted_at !== null) return null
  const { field, values, next } = batch
  const changed = values.flatMap(({ id, value, is_deleted }) => {
    const rewritten = rewriteValue(field, value, replaceOptions)
    return JSON.stringify(rewritten) === JSON.stringify(value) ? [] : [{ id, value: rewritten, is_deleted }]
  })
  if (!changed.length) return next
  await updateStoredValues(tx, field, changed)
  if (field.index_state !== 'none') await indexValues(tx, field, changed)
  return next
}

function rewriteValue(
  { type, options }: CustomFieldRow,
  value: unknown,
  replace: Readonly<Record<string, string | null>>,
) {
  const chosen = (Array.isArray(value) ? value : [value]) as string[]
  const replaced = chosen
    .map((key) => (Object.hasOwn(replace, key) ? replace[key]! : key))
    .filter((key) => key !== null)
  if (type === 'select') return replaced[0] ?? null
  const ordered = options.map(({ key }) => key).filter((key) => replaced.includes(key))
  return ordered.length ? ordered : null
}

export async function deleteFieldEntriesBatch(tx: TenantTx, fieldId: string): Promise<string | null> {
  const field = await findCustomFieldIncludingDeleted(tx, fieldId)
  if (field && field.index_state !== 'none') return null
  return (await deleteFieldEntries(tx, fieldId, batchSize)) ? nilUuid : null
}

export async function indexTextsBatch(tx: TenantTx, objectType: ObjectType, after: string): Promise<string | null> {
  const records = await lockRecordsWithValues(tx, objectType, { after, limit: batchSize })
  const fields = await lockCustomFieldsShared(tx, objectType)
  await storeCustomTexts(tx, objectType, fields, records)
  return records.length < batchSize ? null : records.at(-1)!.id
}

/** Removes the values of a deleted field; the last batch frees its key. */
export async function purgeFieldBatch(tx: TenantTx, fieldId: string, after: string): Promise<string | null> {
  const batch = await lockBatch(tx, fieldId, after)
  if (!batch || batch.field.deleted_at === null) return null
  const { field, values, next } = batch
  if (values.length)
    await updateStoredValues(
      tx,
      field,
      values.map(({ id }) => ({ id, value: null })),
    )
  if (next !== null) return next
  if (await deleteFieldEntries(tx, fieldId, batchSize)) return after
  if ((await deleteFieldUniqueValues(tx, fieldId, batchSize)) === batchSize) return after
  await deleteCustomFieldRow(tx, fieldId)
  return null
}
