import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineJob, enqueue, handleJob, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { carryName, leaveWith } from './account-contacts.service.ts'
import { type AccountRow, lockAnyAccount } from './accounts.queries.ts'

const tellContacts = defineJob('crm.tell_contacts', 'bulk', strict({ account_id: Id, has_left: Type.Boolean() }))

/** For the contacts of an account that its own transaction did not get to. */
export const tellContactsLater = (tx: TenantTx, accountId: string, hasLeft: boolean): Promise<void> =>
  enqueue(tx, tellContacts, { account_id: accountId, has_left: hasLeft }, { singletonKey: `${accountId}:${hasLeft}` })

/** They hear what is true of the account by then; who has heard is not told again. */
export const tellingContacts = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  handleJob(tellContacts, async ({ inTenant, signal }, { account_id, has_left }) => {
    const untilAllKnow = async (tellSome: (tx: TenantTx, account: AccountRow) => Promise<boolean>) => {
      for (let isMore = true; isMore; ) {
        signal.throwIfAborted()
        isMore = await inTenant(async (tx) => {
          const account = await lockAnyAccount(tx, account_id)
          return account ? await tellSome(tx, account) : false
        })
      }
    }
    await untilAllKnow(carryName)
    if (!has_left) return
    await untilAllKnow(async (tx, account) =>
      account.type === 'former_customer' ? await leaveWith(tx, account, clock.now()) : false,
    )
  })
