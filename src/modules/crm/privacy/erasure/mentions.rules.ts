export const erasedName = { first_name: 'Erased', last_name: 'person' } as const

type Named = { first_name: string | null; last_name: string | null }

/** Returns the full name in both orders. A single name of four or more letters counts as a full name. */
export function toNames({ first_name, last_name }: Named): string[] {
  if (first_name === erasedName.first_name && last_name === erasedName.last_name) return []
  if (first_name && last_name)
    return [`${first_name} ${last_name}`, `${last_name} ${first_name}`, `${last_name}, ${first_name}`]
  const only = first_name ?? last_name
  return only && only.length > 3 ? [only] : []
}

const minPhoneDigits = 7

/** Shorter numbers would also match amounts and dates. */
export const toPhones = (numbers: readonly (string | null)[]): string[] =>
  numbers.filter((number) => number !== null).filter((number) => number.replace(/\D/g, '').length >= minPhoneDigits)

export const isE164 = (phone: string): boolean => /^\+\d+$/.test(phone)

type CustomRecord = Readonly<Record<string, unknown>>

export function customKeysToErase(
  custom: CustomRecord,
  personalKeys: readonly string[],
  pattern: RegExp | null,
): string[] {
  const isMention = (value: unknown) => pattern !== null && JSON.stringify(value).search(pattern) >= 0
  return Object.keys(custom).filter((key) => personalKeys.includes(key) || isMention(custom[key]))
}
