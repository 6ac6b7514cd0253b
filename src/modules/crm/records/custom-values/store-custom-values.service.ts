import type { TenantTx } from '#platform/db'
import { type AppError, attempt, conflict, invalid } from '#platform/errors'
import type { Money } from '#platform/money'
import { type CurrencyRates, readCurrencyRates } from '../settings/crm-settings.service.ts'
import { toBaseAmount } from './check-custom-values.service.ts'
import { isSearchable, toCustomText } from './custom-text.ts'
import {
  deleteIndexEntries,
  deleteUniqueValues,
  findUniqueValues,
  insertUniqueValues,
  replaceIndexEntries,
  updateCustomTexts,
} from './custom-values.queries.ts'
import type { CustomValues, ObjectType } from './custom-values.schemas.ts'
import { type CustomFieldRow, lockCustomFieldsShared } from './field-definitions.queries.ts'
import { type IndexEntry, toIndexEntries, toUniqueValues, type UniqueValue } from './index-entries.rules.ts'

type ClaimingRecord = { index: number; id: string; input: { custom?: CustomValues } }

const keyOf = ({ field_id, value_hash }: UniqueValue) => `${field_id}:${value_hash}`

/** Claims the unique values of new records. Returns those whose values no other record has, also no earlier one of the list. */
export async function claimManyUniqueValues<R extends ClaimingRecord>(
  tx: TenantTx,
  objectType: ObjectType,
  records: readonly R[],
  errors: Map<number, AppError>,
): Promise<readonly R[]> {
  const fields = (await lockCustomFieldsShared(tx, objectType)).filter(({ is_unique }) => is_unique)
  const all = records.flatMap(({ id, input }) => toUniqueValues(fields, id, input.custom ?? {}))
  if (!all.length) return records
  const claimed = new Set((await insertUniqueValues(tx, all)).map((value) => `${keyOf(value)}:${value.record_id}`))
  const missed = all.filter((value) => !claimed.has(`${keyOf(value)}:${value.record_id}`))
  if (!missed.length) return records
  const owners = new Map((await findUniqueValues(tx, missed)).map((value) => [keyOf(value), value.record_id]))
  const losers = new Map(missed.map((value) => [value.record_id, value]))
  await deleteUniqueValues(tx, [...losers.keys()])
  return records.filter(({ id, index }) => {
    const value = losers.get(id)
    if (!value) return true
    const key = fields.find((field) => field.id === value.field_id)?.key ?? 'custom'
    errors.set(index, valueTaken(key, owners.get(keyOf(value)) ?? null))
    return false
  })
}

const maxSize = 250_000

type StoredRecord = { id: string; custom: unknown }

/** Writes the index and the unique values of a record whose row was written before. */
export async function storeCustomValues(tx: TenantTx, objectType: ObjectType, record: StoredRecord): Promise<void> {
  assertCustomSize(record.custom)
  await indexCustomValues(tx, objectType, [record])
  await claimUniqueValues(tx, objectType, record)
}

export function assertCustomSize(custom: unknown): void {
  if (JSON.stringify(custom).length > maxSize)
    throw invalid(
      'body',
      '/custom',
      'size',
      `The custom fields of a record must not exceed ${maxSize} characters of JSON.`,
    )
}

export async function indexCustomValues(
  tx: TenantTx,
  objectType: ObjectType,
  records: readonly StoredRecord[],
): Promise<void> {
  const fields = await lockCustomFieldsShared(tx, objectType)
  if (fields.some(isSearchable)) await storeCustomTexts(tx, objectType, fields, records)
  const indexed = fields.filter(({ index_state }) => index_state !== 'none')
  if (!indexed.length) return
  const [fieldIds, recordIds] = [indexed, records].map((list) => list.map(({ id }) => id))
  await replaceIndexEntries(tx, fieldIds!, recordIds!, await toEntries(tx, indexed, records))
}

export function storeCustomTexts(
  tx: TenantTx,
  objectType: ObjectType,
  fields: readonly CustomFieldRow[],
  records: readonly StoredRecord[],
): Promise<void> {
  const texts = records.map(({ id, custom }) => ({ id, text: toCustomText(fields, custom as CustomValues) }))
  return updateCustomTexts(tx, objectType, texts)
}

export async function toEntries(
  tx: TenantTx,
  fields: readonly CustomFieldRow[],
  records: readonly StoredRecord[],
): Promise<IndexEntry[]> {
  const rates = await readRatesOf(tx, fields, records)
  return records.flatMap(({ id, custom }) =>
    fields.flatMap((field) => {
      const value = (custom as CustomValues)[field.key] ?? null
      const isMoney = field.type === 'money' && value !== null
      return toIndexEntries(field, id, value, isMoney ? findBaseAmount(rates!, value as Money) : null)
    }),
  )
}

async function readRatesOf(tx: TenantTx, fields: readonly CustomFieldRow[], records: readonly StoredRecord[]) {
  const amounts = fields.filter(({ type }) => type === 'money')
  const currencies = records.flatMap(({ custom }) =>
    amounts.flatMap(({ key }) => ((custom as CustomValues)[key] as Money | undefined | null)?.currency ?? []),
  )
  return currencies.length ? await readCurrencyRates(tx, new Set(currencies)) : null
}

/** Null if the currency has lost its exchange rate since the value was written. */
function findBaseAmount(rates: CurrencyRates, money: Money): number | null {
  const outcome = attempt(() => toBaseAmount(rates, '', money))
  return 'error' in outcome ? null : outcome.value
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
  throw valueTaken(key, taken?.record_id ?? null)
}

export const valueTaken = (key: string, existingId: string | null): AppError =>
  conflict('already_exists', `Another record already has this value of \`${key}\`.`, {
    existing_id: existingId,
    field: key,
  })

export async function deleteCustomValues(tx: TenantTx, recordIds: readonly string[]): Promise<void> {
  await deleteUniqueValues(tx, recordIds)
  await deleteIndexEntries(tx, recordIds)
}
