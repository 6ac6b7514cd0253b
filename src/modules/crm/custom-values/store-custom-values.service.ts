import type { TenantTx } from '#platform/db'
import { AppError, conflict, invalid } from '#platform/errors'
import type { Money } from '#platform/money'
import { toBaseAmount } from './check-custom-values.service.ts'
import {
  deleteIndexEntries,
  deleteUniqueValues,
  findUniqueValues,
  insertUniqueValues,
  replaceIndexEntries,
} from './custom-values.queries.ts'
import type { CustomValues, ObjectType } from './custom-values.schemas.ts'
import { type CustomFieldRow, lockCustomFieldsShared } from './field-definitions.queries.ts'
import { type IndexEntry, toIndexEntries, toUniqueValues } from './index-entries.rules.ts'

const maxSize = 250_000

type StoredRecord = { id: string; custom: unknown }

/** Writes the index and the unique values of a record whose row was written before. */
export async function storeCustomValues(tx: TenantTx, objectType: ObjectType, record: StoredRecord): Promise<void> {
  if (JSON.stringify(record.custom).length > maxSize)
    throw invalid(
      'body',
      '/custom',
      'size',
      `The custom fields of a record must not exceed ${maxSize} characters of JSON.`,
    )
  const fields = await lockCustomFieldsShared(tx, objectType)
  const indexed = fields.filter(({ index_state }) => index_state !== 'none')
  if (indexed.length) {
    const ids = indexed.map(({ id }) => id)
    await replaceIndexEntries(tx, ids, [record.id], await toEntries(tx, indexed, record))
  }
  await claimUniqueValues(tx, objectType, record)
}

export async function toEntries(
  tx: TenantTx,
  fields: readonly CustomFieldRow[],
  { id, custom }: StoredRecord,
): Promise<IndexEntry[]> {
  const values = custom as CustomValues
  const entries: IndexEntry[] = []
  for (const field of fields) {
    const value = values[field.key] ?? null
    const isMoney = field.type === 'money' && value !== null
    entries.push(...toIndexEntries(field, id, value, isMoney ? await findBaseAmount(tx, value as Money) : null))
  }
  return entries
}

/** Null if the currency has lost its exchange rate since the value was written. */
async function findBaseAmount(tx: TenantTx, money: Money): Promise<number | null> {
  try {
    return await toBaseAmount(tx, '', money)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Replaces the unique values of a record. Waits for a concurrent transaction with the same value. */
export async function claimUniqueValues(tx: TenantTx, objectType: ObjectType, { id, custom }: StoredRecord) {
  const fields = (await lockCustomFieldsShared(tx, objectType)).filter(({ is_unique }) => is_unique)
  if (!fields.length) return
  await deleteUniqueValues(tx, [id])
  const values = toUniqueValues(fields, id, custom as CustomValues)
  if (!values.length) return
  const claimed = await insertUniqueValues(tx, values)
  if (claimed.length === values.length) return
  const taken = (await findUniqueValues(tx, values)).find(({ record_id }) => record_id !== id)
  const key = fields.find((field) => field.id === taken?.field_id)?.key ?? 'custom'
  throw conflict('already_exists', `Another record already has this value of \`${key}\`.`, {
    existing_id: taken?.record_id ?? null,
    field: key,
  })
}

export async function deleteCustomValues(tx: TenantTx, recordIds: readonly string[]): Promise<void> {
  await deleteUniqueValues(tx, recordIds)
  await deleteIndexEntries(tx, recordIds)
}
