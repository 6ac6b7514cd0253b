import { assertAssignable } from '#modules/identity'
import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import type { Services } from '#platform/module'
import { moneyOf, normalizeMoney } from '#platform/money'
import { emit } from '#platform/outbox'
import { accountUpdated } from '../../crm.events.ts'
import { checkCustomChanges } from '../../records/custom-values/check-custom-values.service.ts'
import { storeCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { toAnnualRevenueColumns } from '../../records/fields/annual-revenue.service.ts'
import { type FieldSource, provenanceOf, recordProvenance } from '../../records/fields/provenance.queries.ts'
import { assertValidCountryAndTimezone, changedRecordFields } from '../../records/fields/record.rules.ts'
import { replaceTags } from '../../records/fields/tags.queries.ts'
import { syncAccountContactsLater } from './account-contacts.jobs.ts'
import { markContactsAsFormerCustomers, propagateAccountName, visibleAccountName } from './account-contacts.service.ts'
import { type AccountRow, getAccount, lockAccount, updateAccountRow } from './accounts.queries.ts'
import type { AccountChanges } from './accounts.schemas.ts'
import {
  type AccountOrigin,
  assertAccountDomainUnused,
  assertParentAccount,
  deriveAccountKeys,
} from './create-account.service.ts'

type AccountUpdate = AccountOrigin & {
  changes: AccountChanges
  expectedVersion?: number
  enrichedFrom?: readonly FieldSource[]
}

/** Writes all changes in one update (one new version) and propagates name and type to its contacts. */
export async function updateAccount(
  tx: TenantTx,
  actor: Actor,
  accountId: string,
  { changes, expectedVersion, provenance: source = provenanceOf(actor), revenueColumns, enrichedFrom }: AccountUpdate,
  { clock }: Pick<Services, 'clock'>,
): Promise<AccountRow> {
  const requested = changes.domain ? { ...changes, domain: changes.domain.toLowerCase() } : changes
  // Return 404 before any validation error.
  if (requested.domain || requested.parent_account_id) await getAccount(tx, accountId)
  if (requested.domain) await assertAccountDomainUnused(tx, requested.domain, accountId)
  if (requested.parent_account_id) await assertParentAccount(tx, accountId, requested.parent_account_id)
  const account = await lockAccount(tx, accountId)
  assertVersion(account, expectedVersion)
  const now = clock.now()
  const custom = requested.custom && (await checkCustomChanges(tx, 'account', requested.custom, now))
  const changed = changedAccountFields(account, { ...requested, ...(custom && { custom }) })
  const fields = Object.keys(changed)
  if (!fields.length) return account
  assertValidCountryAndTimezone({ timezone: changed.timezone })
  assertValidCountryAndTimezone({ country: changed.address?.country }, '/address')
  await assertAssignable(tx, changed.owner_id)

  const updated = await updateAccountRow(tx, accountId, await toColumns(tx, account, changed, revenueColumns))
  if (changed.custom) await storeCustomValues(tx, 'account', updated)
  if (changed.tags) await replaceTags(tx, 'account', accountId, changed.tags)
  await recordProvenance(tx, 'account', accountId, fields, { source, at: now, enrichedFrom })
  await recordAudit(tx, 'account.updated', { id: accountId, label: updated.name, before: account, after: updated })
  await emit(tx, accountUpdated, updated, { changed: fields })
  await propagateAccountChanges(tx, account, updated, now)
  return updated
}

function changedAccountFields(account: AccountRow, { annual_revenue, ...changes }: AccountChanges): AccountChanges {
  const before = { ...account, annual_revenue: moneyOf(account.annual_revenue_minor, account.annual_revenue_currency) }
  const revenue =
    annual_revenue === undefined ? {} : { annual_revenue: normalizeMoney(annual_revenue, '/annual_revenue') }
  return changedRecordFields(before, { ...changes, ...revenue })
}

async function toColumns(
  tx: TenantTx,
  account: AccountRow,
  changed: AccountChanges,
  revenueColumns: AccountOrigin['revenueColumns'],
) {
  const { annual_revenue, address, custom, ...columns } = changed
  return {
    ...columns,
    ...deriveAccountKeys({ ...account, ...columns }),
    ...(annual_revenue !== undefined && (revenueColumns ?? (await toAnnualRevenueColumns(tx, annual_revenue)))),
    ...(address !== undefined && { address: address ? JSON.stringify(address) : null }),
    ...(custom && { custom: JSON.stringify(custom) }),
  }
}

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
