import { labelOfKey } from '../../../patterns/label-of-key.ts'
import { accountListTexts } from '../../../texts/en/account-list-texts.ts'
import { accountTexts } from '../../../texts/en/account-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { formatMoney } from '../../../ui/format.ts'
import type { AccountType } from '../account-types.ts'
import type { Chosen } from './account-field-groups.ts'

const labels: Readonly<Record<string, string>> = accountTexts.fields

/** The name of a field; own fields have their key in words. */
export const labelOfField = (field: string): string => labels[field] ?? labelOfKey(field.replace(/^custom\./, ''))

type FormatOptions = { locale: string; owner: Chosen; parent: Chosen }

/** A value of a field in a conflict, where it stands beside the value of another user. */
export function formatAccountField(field: string, value: unknown, { locale, owner, parent }: FormatOptions): string {
  if (field === 'owner_id') return owner.nameOf(value)
  if (value === null || value === undefined || value === '') return '–'
  if (field === 'parent_account_id') return parent.nameOf(value)
  if (field === 'type') return accountListTexts.types[value as AccountType]
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'boolean') return value ? recordTexts.yes : recordTexts.no
  if (typeof value === 'object') return formatMoney(value as { amount: string; currency: string }, locale)
  return String(value)
}
