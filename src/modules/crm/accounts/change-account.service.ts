import type { Actor } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { versionMismatch } from '#platform/errors'
import type { Services } from '#platform/module'
import { moneyOf } from '#platform/money'
import { emit } from '#platform/outbox'
import { asShown, realChanges } from '../changes/real-changes.rules.ts'
import { accountUpdated } from '../crm.events.ts'
import { assertAssignable } from '../leads/assignment.service.ts'
import { assertKnownPlace } from '../leads/lead-values.ts'
import { revenueFields } from '../leads/revenue.service.ts'
import { noteProvenance, type Provenance, provenanceOf } from '../persons/provenance.queries.ts'
import { storeTags } from '../persons/tags.queries.ts'
import { type AccountRow, changeAccountFields, getAccount, lockAccount } from './accounts.queries.ts'
import type { AccountChanges } from './accounts.schemas.ts'
import { assertDomainIsFree, assertParentFits, keysOf } from './add-account.service.ts'
import { followAccount } from './follow-account.service.ts'

export type AccountChange = { changes: AccountChanges; expectedVersion?: number; provenance?: Provenance }

/** One change, one version. Its contacts learn what concerns them. */
export async function changeAccount(
  tx: TenantTx,
  actor: Actor,
  accountId: string,
  { changes, expectedVersion, provenance = provenanceOf(actor) }: AccountChange,
  { clock }: Pick<Services, 'clock'>,
): Promise<AccountRow> {
  const wanted = changes.domain ? { ...changes, domain: changes.domain.toLowerCase() } : changes
  // Whether there is such an account comes ahead of what else may be wrong.
  if (wanted.domain || wanted.parent_account_id) await getAccount(tx, accountId)
  if (wanted.domain) await assertDomainIsFree(tx, wanted.domain, accountId)
  if (wanted.parent_account_id) await assertParentFits(tx, accountId, wanted.parent_account_id)
  const account = await lockAccount(tx, accountId)
  if (expectedVersion !== undefined && expectedVersion !== account.version) throw versionMismatch()
  const asked = changesOf(account, wanted)
  const fields = Object.keys(asked)
  if (!fields.length) return account
  assertKnownPlace({ timezone: asked.timezone })
  assertKnownPlace({ country: asked.address?.country }, '/address')
  await assertAssignable(tx, asked.owner_id)

  const now = clock.now()
  const changed = await changeAccountFields(tx, accountId, await columnsOf(tx, account, asked))
  if (asked.tags) await storeTags(tx, 'account', accountId, asked.tags)
  await noteProvenance(tx, 'account', accountId, fields, { source: provenance, at: now })
  await record(tx, 'account.updated', { id: accountId, label: changed.name, before: account, after: changed })
  await emit(tx, accountUpdated, changed, { changed: fields })
  await followAccount(tx, account, changed, now)
  return changed
}

function changesOf(account: AccountRow, { annual_revenue, ...changes }: AccountChanges): AccountChanges {
  const before = { ...account, annual_revenue: moneyOf(account.annual_revenue_minor, account.annual_revenue_currency) }
  const revenue = annual_revenue === undefined ? {} : { annual_revenue: asShown(annual_revenue, '/annual_revenue') }
  return realChanges(before, { ...changes, ...revenue })
}

async function columnsOf(tx: TenantTx, account: AccountRow, asked: AccountChanges) {
  const { annual_revenue, address, custom, ...said } = asked
  return {
    ...said,
    ...keysOf({ ...account, ...said }),
    ...(annual_revenue !== undefined && (await revenueFields(tx, annual_revenue))),
    ...(address !== undefined && { address: address ? JSON.stringify(address) : null }),
    ...(custom && { custom: JSON.stringify(custom) }),
  }
}
