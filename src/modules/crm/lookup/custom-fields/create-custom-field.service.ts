import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, invalidInput } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { customFieldCreated } from '../../crm.events.ts'
import { checkValues } from '../../records/custom-values/check-custom-values.service.ts'
import type { CustomValue, FieldMapping } from '../../records/custom-values/custom-values.schemas.ts'
import { type CustomFieldRow, listFieldsOf } from '../../records/custom-values/field-definitions.queries.ts'
import { insertCustomField, lockCustomFields } from './custom-fields.queries.ts'
import type { CustomField, NewCustomField } from './custom-fields.schemas.ts'
import { type FieldDefinition, findDefinitionProblems, keyFromLabel, withDefaults } from './field-definition.rules.ts'
import { isStandardKey } from './standard-fields.ts'

const maxFields = 200
const maxFilterable = 60

export async function createCustomField(tx: TenantTx, input: NewCustomField, now: Date): Promise<CustomField> {
  const key = input.key ?? keyFromLabel(input.label)
  if (!key) throw invalid('body', '/key', 'required', '`key` is required, because it cannot be derived from `label`.')
  if (isStandardKey(input.object_type, key))
    throw invalid('body', '/key', 'standard_field', `\`key\` must not be the key of a standard field (\`${key}\`).`)
  const { options = [], validation = {}, default_value = null, maps_to = null, is_unique = false, ...rest } = input
  const definition = { ...rest, options: withDefaults(options), validation, is_unique, maps_to }
  assertValidDefinition(definition)

  await lockCustomFields(tx)
  const existing = await listFieldsOf(tx, input.object_type)
  assertKeyUnused(existing, key)
  const others = existing.filter(({ deleted_at }) => deleted_at === null)
  if (others.length >= maxFields) throw limitReached(`${maxFields} custom fields`)
  const filterable = others.filter(({ is_filterable }) => is_filterable).length
  const is_filterable = input.is_filterable ?? filterable < maxFilterable
  if (is_filterable) assertFilterable(others)
  await assertMapping(tx, definition)
  const field = await insertCustomField(tx, {
    ...definition,
    id: newId(),
    key,
    options: JSON.stringify(definition.options),
    validation: JSON.stringify(validation),
    default_value: await toDefaultValue(tx, { ...definition, key }, default_value, now),
    maps_to: maps_to && JSON.stringify(maps_to),
    is_filterable,
    index_state: is_filterable ? 'ready' : 'none',
    unique_state: definition.is_unique ? 'ready' : 'none',
    position: Math.max(0, ...others.map(({ position }) => position)) + 1,
    created_at: now,
    updated_at: now,
  })
  await recordAudit(tx, 'custom_field.created', { id: field.id, label: field.label, after: field })
  await emit(tx, customFieldCreated, field, { object_type: field.object_type, key: field.key })
  return toCustomField(field)
}

export function assertValidDefinition(definition: FieldDefinition): void {
  const problems = findDefinitionProblems(definition)
  if (problems.length) throw invalidInput(problems.map((problem) => ({ in: 'body', ...problem })))
}

function assertKeyUnused(existing: readonly CustomFieldRow[], key: string): void {
  const taken = existing.find((field) => field.key === key)
  if (!taken) return
  if (taken.deleted_at === null)
    throw conflict('already_exists', `A custom field with the key \`${key}\` already exists.`, {
      existing_id: taken.id,
    })
  throw conflict('conflict', `The values of the deleted field \`${key}\` are still being removed. Try again later.`)
}

const limitReached = (what: string) =>
  conflict('limit_reached', `An object type cannot have more than ${what}. Delete or change another field first.`)

export function assertFilterable(others: readonly CustomFieldRow[]): void {
  if (others.filter(({ is_filterable }) => is_filterable).length >= maxFilterable)
    throw limitReached(`${maxFilterable} filterable custom fields`)
}

/** A mapped field must exist and have the same type. */
export async function assertMapping(
  tx: TenantTx,
  { maps_to, type }: { maps_to: FieldMapping | null; type: string },
): Promise<void> {
  for (const [target, key] of Object.entries(maps_to ?? {})) {
    const fields = await listFieldsOf(tx, target as keyof FieldMapping)
    const field = fields.find((other) => other.key === key && other.deleted_at === null)
    const path = `/maps_to/${target}`
    if (!field) throw invalid('body', path, 'unknown_field', `\`${key}\` must be a custom field of type ${target}.`)
    if (field.type !== type)
      throw invalid('body', path, 'type', `\`${key}\` must be of type \`${type}\`, as this field is.`)
  }
}

type DefaultField = FieldDefinition & { key: string; label: string }

export async function toDefaultValue(
  tx: TenantTx,
  field: DefaultField,
  value: CustomValue,
  now: Date,
): Promise<string | null> {
  if (value === null) return null
  if (field.is_unique)
    throw invalid('body', '/default_value', 'unique', '`default_value` is not allowed for a unique field.')
  const row = { ...field, is_active: true, deleted_at: null } as unknown as CustomFieldRow
  const { values, problems } = await checkValues(tx, [row], { [field.key]: value }, now)
  const [first] = problems
  if (first) throw invalidInput([{ in: 'body', path: '/default_value', ...first.problem }])
  return JSON.stringify(values[field.key])
}

export const toCustomField = (field: CustomFieldRow): CustomField => field as unknown as CustomField
