import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { accountDeleted, accountRestored } from '../../crm.events.ts'
import { assertRecordRestorable } from '../../records/fields/record.rules.ts'
import {
  type DeleteRecordOptions,
  restoreDeleted,
  type SoftDelete,
  softDelete,
} from '../../records/removal/soft-delete.service.ts'
import {
  type AccountRow,
  findAccountIncludingDeleted,
  getAccountTotals,
  lockAccount,
  lockAccountIncludingDeleted,
  updateAccountRow,
} from './accounts.queries.ts'
import { assertNoOpenDeals } from './accounts.rules.ts'
import { assertAccountDomainUnused } from './create-account.service.ts'
import { propagateAccountChanges } from './update-account.service.ts'

const accountDeletion: SoftDelete<AccountRow> = {
  type: 'account',
  updateRow: updateAccountRow,
  labelOf: ({ name }) => name,
  deletedEvent: accountDeleted,
  restoredEvent: accountRestored,
}

/** Its contacts are kept and show no account until it is restored. */
export async function deleteAccount(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { expectedVersion, now }: DeleteRecordOptions,
): Promise<void> {
  const account = await lockAccount(tx, id)
  assertVersion(account, expectedVersion)
  assertNoOpenDeals((await getAccountTotals(tx, id)).open_opportunities)
  const deleted = await softDelete(tx, actor, account, accountDeletion, now)
  await propagateAccountChanges(tx, account, deleted, now)
}

export async function restoreAccount(tx: TenantTx, actor: UserActor, id: string, now: Date): Promise<AccountRow> {
  const deleted = assertRecordRestorable(actor, await findAccountIncludingDeleted(tx, id), 'account', now)
  if (deleted.domain) await assertAccountDomainUnused(tx, deleted.domain)
  const account = assertRecordRestorable(actor, await lockAccountIncludingDeleted(tx, id), 'account', now)

  const restored = await restoreDeleted(tx, account, accountDeletion)
  await propagateAccountChanges(tx, account, restored, now)
  return restored
}
