import type { TenantTx } from '#platform/db'
import { setContactStage } from '../contacts/contact-stage.service.ts'
import { derivedFrom } from '../contacts/contact-values.ts'
import { lockCustomersOf, lockMisnamed, renameInContacts } from './account-contacts.queries.ts'
import type { AccountRow } from './accounts.queries.ts'

/** As many as one transaction sees to. */
const renamedAtOnce = 1_000
const movedAtOnce = 200

/** Nothing of a deleted account is shown with its contacts. */
export const shownName = ({ name, deleted_at }: AccountRow): string | null => (deleted_at === null ? name : null)

/** Carries the name of an account to contacts that do not have it yet. Tells whether there may be more of them. */
export async function carryName(tx: TenantTx, account: AccountRow): Promise<boolean> {
  const account_name = shownName(account)
  const contacts = await lockMisnamed(tx, { accountId: account.id, name: account_name, limit: renamedAtOnce })
  if (!contacts.length) return false
  const ids = contacts.map(({ id }) => id)
  const texts = contacts.map((contact) => derivedFrom({ ...contact, account_name }).search_text)
  await renameInContacts(tx, { ids, texts, name: account_name })
  return contacts.length === renamedAtOnce
}

/** Customers of an account that left are former customers. Tells whether there may be more of them. */
export async function leaveWith(tx: TenantTx, account: AccountRow, now: Date): Promise<boolean> {
  const step = { reason: 'The account is a former customer.', cause: 'account', now }
  const customers = await lockCustomersOf(tx, account.id, movedAtOnce)
  for (const contact of customers) await setContactStage(tx, contact, 'former_customer', step)
  return customers.length === movedAtOnce
}
