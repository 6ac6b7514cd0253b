import type { Fields } from '../../../api/merge-fields.ts'
import { readField, toRequest } from '../../../patterns/record/fields/field-changes.ts'
import type { Account, AccountChanges } from '../account-queries.ts'

const addressPrefix = 'address.'

/**
 * The changes as the API takes them; a part of the address has the name `address.<part>`. The API replaces the whole
 * address, so that its other parts are sent with the changed one.
 */
export function toAccountChanges(account: Pick<Account, 'address'>, changes: Fields): AccountChanges {
  const entries = Object.entries(changes)
  const address = entries
    .filter(([field]) => field.startsWith(addressPrefix))
    .map(([field, value]) => [field.slice(addressPrefix.length), value])
  const others = Object.fromEntries(entries.filter(([field]) => !field.startsWith(addressPrefix)))
  return {
    ...toRequest(others),
    ...(address.length > 0 && { address: { ...account.address, ...Object.fromEntries(address) } }),
  }
}

export const readAccountValue = (account: Account, field: string): unknown =>
  field.startsWith(addressPrefix)
    ? (account.address?.[field.slice(addressPrefix.length)] ?? null)
    : readField(account, field)
