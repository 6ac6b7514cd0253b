import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { FieldCatalogue, RuleField } from '#platform/rules'
import type { CustomFieldType, ObjectType } from './custom-values.schemas.ts'
import { type CustomFieldRow, listFieldsOf } from './field-definitions.queries.ts'

const ruleTypes = {
  text: 'text',
  long_text: 'text',
  url: 'text',
  email: 'text',
  phone: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  select: 'select',
  multi_select: 'multi_select',
  money: 'money',
  user: 'user',
} as const satisfies Record<CustomFieldType, RuleField['type']>

export async function readCustomCatalogue(tx: TenantTx, objectType: ObjectType): Promise<FieldCatalogue> {
  const fields = (await listFieldsOf(tx, objectType)).filter(
    ({ is_active, is_filterable, deleted_at }) => is_active && is_filterable && deleted_at === null,
  )
  return Object.fromEntries(
    fields.flatMap((field): [string, RuleField][] => {
      const ruleField = toRuleField(field)
      return ruleField ? [[`custom.${field.key}`, ruleField]] : []
    }),
  )
}

function toRuleField({ id, key, type, options, index_state }: CustomFieldRow): RuleField | undefined {
  const index = index_state === 'ready' ? { fieldId: id } : undefined
  const ruleType = ruleTypes[type]
  // Amounts are compared in the base currency, which only the index has.
  if (ruleType === 'money')
    return index && { type: ruleType, column: 'custom', index, baseAmountOf: (recordId) => indexedNumber(id, recordId) }
  const location = { column: 'custom', jsonKey: key, index }
  const isChoice = ruleType === 'select' || ruleType === 'multi_select'
  return isChoice
    ? { type: ruleType, ...location, options: options.map((option) => option.key) }
    : { type: ruleType, ...location }
}

const indexedNumber = (fieldId: string, recordId: unknown) =>
  sql<number>`(select num from crm.custom_field_index where field_id = ${fieldId}::uuid and record_id = ${recordId} and ord = 0)`
