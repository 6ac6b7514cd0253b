import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { versionMismatch } from '#platform/errors'
import { emit } from '#platform/outbox'
import { accountDeleted, accountRestored } from '../crm.events.ts'
import { assertRestorable } from '../deleted/restorable.rules.ts'
import {
  type AccountRow,
  changeAccountFields,
  findAnyAccount,
  lockAccount,
  lockAnyAccount,
  sumUpAccount,
} from './accounts.queries.ts'
import { assertNoOpenDeals } from './accounts.rules.ts'
import { assertDomainIsFree } from './add-account.service.ts'
import { followAccount } from './follow-account.service.ts'

type Deletion = { expectedVersion?: number; now: Date }

/** Its contacts stay, and belong to no account until it is restored. */
export async function deleteAccount(tx: TenantTx, actor: SignedIn, id: string, { expectedVersion, now }: Deletion) {
  const account = await lockAccount(tx, id)
  if (expectedVersion !== undefined && expectedVersion !== account.version) throw versionMismatch()
  assertNoOpenDeals((await sumUpAccount(tx, id)).open_opportunities)
  const deleted = await changeAccountFields(tx, id, { deleted_at: now, deleted_by: actor.userId })
  await record(tx, 'account.deleted', { id, label: account.name, before: account })
  await emit(tx, accountDeleted, deleted, {})
  await followAccount(tx, account, deleted, now)
}

/** Whoever deleted it may take that back, and so may managers, as long as nobody else has its domain. */
export async function restoreAccount(tx: TenantTx, actor: SignedIn, id: string, now: Date): Promise<AccountRow> {
  const found = assertRestorable(actor, await findAnyAccount(tx, id), 'account', now)
  if (found.domain) await assertDomainIsFree(tx, found.domain)
  const account = assertRestorable(actor, await lockAnyAccount(tx, id), 'account', now)

  const restored = await changeAccountFields(tx, id, { deleted_at: null, deleted_by: null })
  await record(tx, 'account.restored', { id, label: account.name, before: account, after: restored })
  await emit(tx, accountRestored, restored, {})
  await followAccount(tx, account, restored, now)
  return restored
}
