import { recordAuditEntries } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import { type InputError, invalidInput } from '#platform/errors'
import { emitMany } from '#platform/outbox'
import { customFieldUpdated } from '../../crm.events.ts'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { listFieldsOf } from '../../records/custom-values/field-definitions.queries.ts'
import { toCustomField } from './create-custom-field.service.ts'
import { listCustomFieldRows, lockCustomFields, updatePositions } from './custom-fields.queries.ts'
import type { CustomField, CustomFieldQuery } from './custom-fields.schemas.ts'

export async function listCustomFields(tx: TenantTx, query: CustomFieldQuery): Promise<Page<CustomField>> {
  const { items, ...page } = await listCustomFieldRows(tx, query)
  return { ...page, items: items.map(toCustomField) }
}

/** Requires the ids of all fields, so that no field keeps an old position. */
export async function reorderCustomFields(
  tx: TenantTx,
  objectType: ObjectType,
  fieldIds: readonly string[],
): Promise<{ items: CustomField[]; total: number }> {
  await lockCustomFields(tx)
  const fields = (await listFieldsOf(tx, objectType)).filter(({ deleted_at }) => deleted_at === null)
  const known = new Set(fields.map(({ id }) => id))
  const missing = fields.filter(({ id }) => !fieldIds.includes(id))
  const errors: InputError[] = [
    ...missing.map(({ id }) => problem('/field_ids', 'missing', `\`field_ids\` must contain the field ${id}.`)),
    ...fieldIds.flatMap((id, index) =>
      known.has(id)
        ? []
        : [problem(`/field_ids/${index}`, 'unknown', `\`field_ids\` must only contain fields of type ${objectType}.`)],
    ),
  ]
  if (errors.length) throw invalidInput(errors)
  const moved = await updatePositions(tx, fieldIds)
  const before = new Map(fields.map((field) => [field.id, field]))
  await recordAuditEntries(
    tx,
    'custom_field.updated',
    moved.map((field) => ({ id: field.id, label: field.label, before: before.get(field.id)!, after: field })),
  )
  const events = moved.map((field) => ({
    subject: field,
    data: { object_type: field.object_type, key: field.key, changed: ['position'] },
  }))
  await emitMany(tx, customFieldUpdated, events)
  const items = (await listFieldsOf(tx, objectType)).filter(({ deleted_at }) => deleted_at === null).map(toCustomField)
  return { items, total: items.length }
}

const problem = (path: string, code: string, message: string): InputError => ({ in: 'body', path, code, message })
