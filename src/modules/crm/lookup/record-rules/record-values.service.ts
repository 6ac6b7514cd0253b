import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { listFieldValues } from './field-values.queries.ts'
import { fieldsOf } from './rule-catalogue.service.ts'

const textTypes: readonly string[] = ['text', 'select', 'multi_select', 'tags']

/** Returns texts that are in use, for a field of a rule. */
export async function listRecordValues(
  tx: TenantTx,
  objectType: ObjectType,
  { field: key, search }: { field: string; search?: string },
): Promise<string[]> {
  const fields = await fieldsOf(tx, objectType)
  const field = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (!field)
    throw invalid('query', '/field', 'unknown_field', '`field` must be a field of rules for this object type.')
  if (!textTypes.includes(field.type))
    throw invalid('query', '/field', 'type', '`field` must be a field with texts, such as tags.')
  return await listFieldValues(tx, objectType, field, search)
}
