import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { nilUuid } from '#platform/ids'
import { emit } from '#platform/outbox'
import { customFieldUpdated } from '../../crm.events.ts'
import {
  deleteFieldUniqueValues,
  findUniqueValues,
  insertUniqueValues,
  listStoredValues,
  type StoredValue,
} from '../../records/custom-values/custom-values.queries.ts'
import type { CustomFieldRow } from '../../records/custom-values/field-definitions.queries.ts'
import { toUniqueValues } from '../../records/custom-values/index-entries.rules.ts'
import { findCustomFieldIncludingDeleted, lockCustomFields, updateCustomFieldRow } from './custom-fields.queries.ts'
import { lockBatch } from './rewrite-values.service.ts'

/** More values are claimed by a job, because writers of values wait for the request. */
const maxInline = 1_000
const maxExamples = 10
const maxDeleted = 5_000

type UniqueState = Pick<CustomFieldRow, 'unique_state' | 'duplicate_record_ids'>

/** Claims the values of a field that becomes unique; `building` if a job must do it. */
export async function startUniqueness(tx: TenantTx, field: CustomFieldRow): Promise<UniqueState> {
  if ((await deleteFieldUniqueValues(tx, field.id, maxDeleted)) === maxDeleted)
    throw conflict('conflict', 'Former unique values of the field are still being removed. Try again in a minute.')
  const values = await listStoredValues(tx, field, { after: nilUuid, limit: maxInline + 1 })
  if (values.length > maxInline) return { unique_state: 'building', duplicate_record_ids: [] }
  const duplicates = await claimValues(tx, field, values)
  if (duplicates.length)
    throw conflict('duplicate_values', 'Several records have the same value. Correct them first.', {
      examples: duplicates.slice(0, maxExamples).map(({ id, value }) => ({ value, record_ids: [id] })),
    })
  return { unique_state: 'ready', duplicate_record_ids: [] }
}

/** Claims the values of records that are not deleted. Returns those whose value another record has. */
async function claimValues(
  tx: TenantTx,
  field: CustomFieldRow,
  values: readonly StoredValue[],
): Promise<StoredValue[]> {
  const current = values.filter(({ is_deleted }) => !is_deleted)
  const claims = current.flatMap(({ id, value }) =>
    toUniqueValues([{ ...field, is_unique: true }], id, { [field.key]: value as string }),
  )
  if (!claims.length) return []
  const claimed = await insertUniqueValues(tx, claims)
  if (claimed.length === claims.length) return []
  const owned = new Set(claimed.map(({ record_id }) => record_id))
  for (const { record_id } of await findUniqueValues(tx, claims)) owned.add(record_id)
  const rejected = new Set(claims.map(({ record_id }) => record_id).filter((id) => !owned.has(id)))
  return current.filter(({ id }) => rejected.has(id))
}

export type UniquenessProgress = { after: string | null; duplicateIds: string[] }

/** Claims the values of the next records, which it locks for a moment; other writers do not wait. */
export async function claimValuesBatch(
  tx: TenantTx,
  fieldId: string,
  { after, duplicateIds }: UniquenessProgress,
): Promise<UniquenessProgress> {
  const batch = await lockBatch(tx, fieldId, after!)
  if (batch?.field.unique_state !== 'building') return { after: null, duplicateIds: [] }
  const duplicates = await claimValues(tx, batch.field, batch.values)
  const found = [...duplicateIds, ...duplicates.map(({ id }) => id)].slice(0, maxExamples)
  return { after: found.length === maxExamples ? null : batch.next, duplicateIds: found }
}

/** The field is unique now, or it is not because of these records. */
export async function endUniqueness(tx: TenantTx, fieldId: string, duplicateIds: readonly string[]): Promise<void> {
  await lockCustomFields(tx)
  const field = await findCustomFieldIncludingDeleted(tx, fieldId)
  if (field?.unique_state !== 'building' || field.deleted_at !== null) return
  if (!duplicateIds.length) {
    await updateCustomFieldRow(tx, fieldId, { unique_state: 'ready' })
    return
  }
  const updated = await updateCustomFieldRow(tx, fieldId, {
    is_unique: false,
    unique_state: 'failed',
    duplicate_record_ids: [...duplicateIds],
  })
  await recordAudit(tx, 'custom_field.updated', { id: fieldId, label: updated.label, before: field, after: updated })
  const { object_type, key } = updated
  await emit(tx, customFieldUpdated, updated, { object_type, key, changed: ['is_unique'] })
}

export async function deleteUniqueValuesBatch(tx: TenantTx, fieldId: string): Promise<string | null> {
  await lockCustomFields(tx)
  const field = await findCustomFieldIncludingDeleted(tx, fieldId)
  if (field?.is_unique) return null
  return (await deleteFieldUniqueValues(tx, fieldId, maxDeleted)) === maxDeleted ? nilUuid : null
}
