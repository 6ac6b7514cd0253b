import { createHash } from 'node:crypto'
import type { CustomFieldRow } from '../../records/custom-values/field-definitions.queries.ts'
import { hashUniqueValue } from '../../records/custom-values/index-entries.rules.ts'
import { companyKey, nameKey, phoneE164 } from '../../records/person-keys/person-keys.ts'
import type { ImportOptions } from './import.schemas.ts'

type Values = Readonly<Record<string, unknown>>

export type MatchKey = { key: string; nameKey?: string; companyKey?: string; valueHash?: string }

/** Returns null if the row cannot match a record. */
export function matchKeyOf(
  values: Values,
  { match_by, on_match }: Pick<ImportOptions, 'match_by' | 'on_match'>,
  customFields: readonly CustomFieldRow[],
): MatchKey | null {
  const text = (name: string) => (typeof values[name] === 'string' ? (values[name] as string) : null)
  if (match_by === 'none' || on_match === 'create') return null
  if (match_by === 'email') {
    const email = text('email')
    return email ? { key: email.toLowerCase() } : null
  }
  if (match_by === 'name_company') {
    const name = nameKey(text('first_name'), text('last_name'))
    const company = companyKey(text('company') ?? text('account_name'))
    return name && company ? { key: `${name}\n${company}`, nameKey: name, companyKey: company } : null
  }
  const field = customFields.find(({ key }) => key === match_by.slice('custom_field:'.length))
  const value = field && values[`custom.${field.key}`]
  if (!field || value === undefined) return null
  const valueHash = hashUniqueValue(field, value)
  return { key: valueHash, valueHash }
}

/** The id of the import makes hashes of different imports incomparable. */
export const hashMatchKey = (importId: string, { key }: MatchKey): string =>
  createHash('sha256').update(`${importId}:${key}`).digest('base64url')

/** The addresses under which consent and erasures of the person are stored. */
export function subjectsOfRow(values: Values): string[] {
  const { email, phone, country } = values as Record<string, string | undefined>
  const number = phone ? phoneE164(phone, country) : null
  return [...(email ? [email.toLowerCase()] : []), ...(number ? [number] : [])]
}
