/** False for NUL characters and lone surrogates, which JSON can contain but PostgreSQL cannot store. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorable(item))
}
