import type { TenantTx } from '#platform/db'
import type { AppError } from '#platform/errors'
import { deleteUniqueValues, findUniqueValues, insertUniqueValues } from './custom-values.queries.ts'
import type { CustomValues, ObjectType } from './custom-values.schemas.ts'
import { lockCustomFieldsShared } from './field-definitions.queries.ts'
import { toUniqueValues, type UniqueValue } from './index-entries.rules.ts'
import { valueTaken } from './store-custom-values.service.ts'

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
