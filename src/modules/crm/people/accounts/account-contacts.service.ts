import type { TenantTx } from '#platform/db'
import { setContactStage } from '../contacts/contact-stage.service.ts'
import { deriveContactColumns } from '../contacts/contact-values.ts'
import {
  lockContactsWithStaleAccountName,
  lockCustomerContacts,
  updateContactAccountNames,
} from './account-contacts.queries.ts'
import type { AccountRow } from './accounts.queries.ts'

const nameBatchSize = 1_000
const stageBatchSize = 200

/** Contacts of a deleted account show no account name. */
export const visibleAccountName = ({ name, deleted_at }: AccountRow): string | null =>
  deleted_at === null ? name : null

/** Updates one batch of contacts. Returns true if there may be more. */
export async function propagateAccountName(tx: TenantTx, account: AccountRow): Promise<boolean> {
  const account_name = visibleAccountName(account)
  const contacts = await lockContactsWithStaleAccountName(tx, {
    accountId: account.id,
    name: account_name,
    limit: nameBatchSize,
  })
  if (!contacts.length) return false
  const ids = contacts.map(({ id }) => id)
  const texts = contacts.map((contact) => deriveContactColumns({ ...contact, account_name }).search_text)
  await updateContactAccountNames(tx, { ids, texts, name: account_name })
  return contacts.length === nameBatchSize
}

/** Updates one batch of contacts that are customers. Returns true if there may be more. */
export async function markContactsAsFormerCustomers(tx: TenantTx, account: AccountRow, now: Date): Promise<boolean> {
  const context = { reason: 'The account is a former customer.', cause: 'account', now }
  const customers = await lockCustomerContacts(tx, account.id, stageBatchSize)
  for (const contact of customers) await setContactStage(tx, contact, 'former_customer', context)
  return customers.length === stageBatchSize
}
