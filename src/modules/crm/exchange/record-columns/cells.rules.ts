import type { Money } from '#platform/money'

/** Writes a value as a text that an import reads back unchanged. */
export function toCell(value: unknown): string | null {
  if (value === null) return null
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return toListCell(value)
  if (typeof value !== 'object') return String(value)
  const { amount, currency } = value as Money
  return `${amount} ${currency}`
}

/** Items that contain a separator make the whole list JSON. */
function toListCell(items: readonly string[]): string {
  const isPlain = items.every((item) => item === item.trim() && !item.includes(';'))
  return isPlain && !items[0]?.startsWith('[') ? items.join('; ') : JSON.stringify(items)
}
