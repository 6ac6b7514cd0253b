import type { TenantTx } from '#platform/db'
import { checkValues, isWritable } from './check-custom-values.service.ts'
import { findUniqueValues } from './custom-values.queries.ts'
import type { CustomValues, MappingTarget } from './custom-values.schemas.ts'
import { lockCustomFieldsShared } from './field-definitions.queries.ts'
import { toUniqueValues } from './index-entries.rules.ts'

type MappedRecords = {
  lead: { custom: unknown }
  /** The record that the lead is converted to, if it exists already. */
  existing?: { id: string; custom: unknown }
  now: Date
}

/** Returns the values of a lead that its mappings copy to empty fields. Values that the target field rejects are left out. */
export async function mapCustomValues(
  tx: TenantTx,
  target: MappingTarget,
  { lead, existing, now }: MappedRecords,
): Promise<CustomValues> {
  const source = lead.custom as CustomValues
  if (!Object.keys(source).length) return {}
  const leadFields = (await lockCustomFieldsShared(tx, 'lead')).filter(isWritable)
  const mapped = leadFields.filter(({ key, maps_to }) => maps_to?.[target] !== undefined && key in source)
  if (!mapped.length) return {}
  const present = (existing?.custom ?? {}) as CustomValues
  const targetFields = await lockCustomFieldsShared(tx, target)
  const candidates = mapped.flatMap(({ key, type, maps_to }) => {
    const field = targetFields.find((other) => other.key === maps_to![target] && isWritable(other))
    return field?.type === type && !(field.key in present) ? [[field.key, source[key]!] as const] : []
  })
  const { values, problems } = await checkValues(tx, targetFields, Object.fromEntries(candidates), now)
  const rejected = new Set(problems.map(({ key }) => key))
  const taken = await listTakenKeys(tx, targetFields, values)
  return Object.fromEntries(Object.entries(values).filter(([key]) => !rejected.has(key) && !taken.has(key)))
}

async function listTakenKeys(
  tx: TenantTx,
  fields: Awaited<ReturnType<typeof lockCustomFieldsShared>>,
  values: CustomValues,
): Promise<Set<string>> {
  const wanted = toUniqueValues(fields, '', values)
  if (!wanted.length) return new Set()
  const taken = await findUniqueValues(tx, wanted)
  return new Set(taken.flatMap(({ field_id }) => fields.find(({ id }) => id === field_id)?.key ?? []))
}
