import type { CustomFieldType } from '../records/custom-values/custom-values.schemas.ts'
import { parseFieldValue, type Today, type ValueField } from '../records/custom-values/field-value.rules.ts'
import type { ValueKind } from './custom-values.queries.ts'

const kinds: Partial<Record<CustomFieldType, ValueKind['kind']>> = {
  number: 'number',
  boolean: 'boolean',
  multi_select: 'array',
  money: 'object',
}

export const kindOf = (type: CustomFieldType): ValueKind['kind'] => kinds[type] ?? 'string'

const typeNameOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

/** Returns the value unchanged if its type fits, a converted one if it is valid, and otherwise null. A unique one could be taken. */
export function convertValue(field: ValueField & { is_unique: boolean }, value: unknown, today: Today): unknown {
  const kind = kindOf(field.type)
  if (value === null || typeNameOf(value) === kind) return value
  if (field.is_unique) return null
  const parsed = parseFieldValue(field, toKind(kind, value), today)
  return 'value' in parsed ? parsed.value : null
}

function toKind(kind: ValueKind['kind'], value: unknown): unknown {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (kind === 'array') return Array.isArray(value) ? value : [value]
  if (kind === 'number') return typeof single === 'string' && single.trim() !== '' ? Number(single) : single
  if (kind === 'boolean') return single === 'true' ? true : single === 'false' ? false : single
  if (kind === 'string') return typeof single === 'number' || typeof single === 'boolean' ? String(single) : single
  return single
}
