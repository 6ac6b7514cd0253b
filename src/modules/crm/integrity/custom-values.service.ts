import type { TenantTx } from '#platform/db'
import type { RecordReference } from '#platform/module'
import type { CustomFieldType, CustomValues, ObjectType } from '../records/custom-values/custom-values.schemas.ts'
import {
  type CustomFieldRow,
  listFieldsOf,
  lockCustomFieldsShared,
} from '../records/custom-values/field-definitions.queries.ts'
import { storeCustomValues } from '../records/custom-values/store-custom-values.service.ts'
import { listMistypedValues, listUnknownKeys, lockValues, updateValues } from './custom-values.queries.ts'
import { convertValue, kindOf } from './custom-values.rules.ts'

/** In the order of their locks. */
const objectTypes = ['lead', 'opportunity', 'account', 'contact'] as const satisfies ObjectType[]

type ListRecords = (objectType: ObjectType, fields: CustomFieldRow[]) => Promise<string[]>

async function findInAll(tx: TenantTx, limit: number, list: ListRecords): Promise<RecordReference[]> {
  const found: RecordReference[] = []
  for (const resource_type of objectTypes) {
    const ids = await list(resource_type, await listFieldsOf(tx, resource_type))
    found.push(...ids.map((id) => ({ resource_type, id })))
  }
  return found.slice(0, limit)
}

export const findUnknownKeys = (tx: TenantTx, limit: number): Promise<RecordReference[]> =>
  findInAll(tx, limit, (objectType, fields) =>
    listUnknownKeys(
      tx,
      objectType,
      fields.map(({ key }) => key),
      limit,
    ),
  )

export const findMistypedValues = (tx: TenantTx, limit: number): Promise<RecordReference[]> =>
  findInAll(tx, limit, (objectType, fields) =>
    listMistypedValues(
      tx,
      objectType,
      fields.map(({ key, type }) => ({ key, kind: kindOf(type as CustomFieldType) })),
      limit,
    ),
  )

export const removeUnknownKeys = (tx: TenantTx, found: readonly RecordReference[]): Promise<number> =>
  rewriteValues(tx, found, (custom, fields) => {
    const known = new Set(fields.map(({ key }) => key))
    return Object.fromEntries(Object.entries(custom).filter(([key]) => known.has(key)))
  })

/** Converts values where that loses nothing, and clears the others. */
export const convertMistypedValues = (
  tx: TenantTx,
  found: readonly RecordReference[],
  today: { day: string; now: Date },
): Promise<number> =>
  rewriteValues(tx, found, (custom, fields) => {
    const byKey = new Map(fields.map((field) => [field.key, field]))
    const converted = Object.entries(custom).map(([key, value]) => {
      const field = byKey.get(key)
      return [key, field ? (convertValue(field, value, today) as CustomValues[string]) : value] as const
    })
    return Object.fromEntries(converted.filter(([, value]) => value !== null))
  })

async function rewriteValues(
  tx: TenantTx,
  found: readonly RecordReference[],
  rewrite: (custom: CustomValues, fields: CustomFieldRow[]) => CustomValues,
): Promise<number> {
  let changed = 0
  for (const objectType of objectTypes) {
    const ids = found.filter(({ resource_type }) => resource_type === objectType).map(({ id }) => id)
    if (!ids.length) continue
    const records = await lockValues(tx, objectType, ids)
    const fields = await lockCustomFieldsShared(tx, objectType)
    const rewritten = records.map((record) => ({ ...record, custom: rewrite(record.custom, fields) }))
    await updateValues(tx, objectType, rewritten)
    for (const record of rewritten) if (!record.is_deleted) await storeCustomValues(tx, objectType, record)
    changed += rewritten.length
  }
  return changed
}
