import type { CustomFieldRow } from '#modules/crm'
import type { Money } from '#platform/money'

/** Writes a value as one line of text, as a recipient reads it. */
export function toValueText(value: unknown, field?: Pick<CustomFieldRow, 'type' | 'options'>): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map((item) => labelOf(String(item), field)).join(', ')
  if (typeof value === 'object') return `${(value as Money).amount} ${(value as Money).currency}`
  const text = field?.type === 'datetime' ? String(value).slice(0, 10) : labelOf(String(value), field)
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

const labelOf = (key: string, field?: Pick<CustomFieldRow, 'options'>): string =>
  field?.options.find((option) => option.key === key)?.label ?? key
