import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notFound, roleRequired, versionMismatch } from '#platform/errors'
import { emit } from '#platform/outbox'
import { accountDeleted, accountRestored } from '../crm.events.ts'
import { restorableDays } from '../leads/delete-lead.service.ts'
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
  const found = assertRestorable(await findAnyAccount(tx, id), now)
  const isManager = actor.role === 'admin' || actor.role === 'manager'
  if (!isManager && found.deleted_by !== actor.userId)
    throw roleRequired('Only managers, and whoever deleted the account, may restore it.')
  if (found.domain) await assertDomainIsFree(tx, found.domain)
  const account = assertRestorable(await lockAnyAccount(tx, id), now)

  const restored = await changeAccountFields(tx, id, { deleted_at: null, deleted_by: null })
  await record(tx, 'account.restored', { id, label: account.name, before: account, after: restored })
  await emit(tx, accountRestored, restored, {})
  await followAccount(tx, account, restored, now)
  return restored
}

function assertRestorable(account: AccountRow | undefined, now: Date): AccountRow {
  if (!account?.deleted_at || account.deleted_at <= daysLater(now, -restorableDays)) throw notFound('deleted account')
  return account
}
