import type { TenantTx } from '#platform/db'
import { syncAccountContactsLater } from './account-contacts.jobs.ts'
import { markContactsAsFormerCustomers, propagateAccountName, visibleAccountName } from './account-contacts.service.ts'
import type { AccountRow } from './accounts.queries.ts'

/** Propagates the account name and former-customer status to its contacts; large accounts finish in a job. */
export async function propagateAccountChanges(
  tx: TenantTx,
  before: AccountRow,
  after: AccountRow,
  now: Date,
): Promise<void> {
  const becameFormerCustomer = after.type === 'former_customer' && before.type !== 'former_customer'
  const hasMoreNames =
    visibleAccountName(before) !== visibleAccountName(after) && (await propagateAccountName(tx, after))
  const hasMoreCustomers = becameFormerCustomer && (await markContactsAsFormerCustomers(tx, after, now))
  if (hasMoreNames || hasMoreCustomers) await syncAccountContactsLater(tx, after.id, becameFormerCustomer)
}
