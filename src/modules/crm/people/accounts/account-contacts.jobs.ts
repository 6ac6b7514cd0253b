import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { markContactsAsFormerCustomers, propagateAccountName } from './account-contacts.service.ts'
import { type AccountRow, lockAccountIncludingDeleted } from './accounts.queries.ts'

const syncAccountContacts = defineJob(
  'crm.sync_account_contacts',
  'bulk',
  strict({ account_id: Id, became_former_customer: Type.Boolean() }),
)

/** Queues the contacts beyond the first batch. */
export const syncAccountContactsLater = (
  tx: TenantTx,
  accountId: string,
  becameFormerCustomer: boolean,
): Promise<void> =>
  enqueue(
    tx,
    syncAccountContacts,
    { account_id: accountId, became_former_customer: becameFormerCustomer },
    { singletonKey: `${accountId}:${becameFormerCustomer}` },
  )

/** Idempotent: uses the current account and skips contacts that are already up to date. */
export const syncAccountContactsHandler = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  defineJobHandler(syncAccountContacts, async ({ inTenant, signal }, { account_id, became_former_customer }) => {
    const repeatBatches = async (runBatch: (tx: TenantTx, account: AccountRow) => Promise<boolean>) => {
      for (let hasMore = true; hasMore; ) {
        signal.throwIfAborted()
        hasMore = await inTenant(async (tx) => {
          const account = await lockAccountIncludingDeleted(tx, account_id)
          return account ? await runBatch(tx, account) : false
        })
      }
    }
    await repeatBatches(propagateAccountName)
    if (!became_former_customer) return
    await repeatBatches(async (tx, account) =>
      account.type === 'former_customer' ? await markContactsAsFormerCustomers(tx, account, clock.now()) : false,
    )
  })
