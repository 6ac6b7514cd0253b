import { assertAssignable } from '#modules/identity'
import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { getSubtreeHeight, listSelfAndAncestorIds, lockTree, type TenantTx, toSearchText } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { accountCreated } from '../../crm.events.ts'
import { checkNewCustomValues } from '../../records/custom-values/check-custom-values.service.ts'
import { storeCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { type AnnualRevenueColumns, toAnnualRevenueColumns } from '../../records/fields/annual-revenue.service.ts'
import { type Provenance, provenanceOf, recordProvenance } from '../../records/fields/provenance.queries.ts'
import { assertValidCountryAndTimezone, nonEmptyFields } from '../../records/fields/record.rules.ts'
import { replaceTags } from '../../records/fields/tags.queries.ts'
import { companyKey } from '../../records/person-keys/person-keys.ts'
import { findAccountIdByDomain, lockAccountDomain } from './account-matches.queries.ts'
import { type AccountRow, accountTree, findAccount, insertAccount } from './accounts.queries.ts'
import { assertAccountHierarchy } from './accounts.rules.ts'
import type { NewAccount } from './accounts.schemas.ts'

export type AccountOrigin = {
  provenance?: Provenance
  /** Copied columns of `annual_revenue`. They are not converted again, because the currency may have lost its rate. */
  revenueColumns?: AnnualRevenueColumns
}

export async function createAccount(
  tx: TenantTx,
  actor: Actor,
  input: NewAccount,
  { clock }: Pick<Services, 'clock'>,
  { provenance = provenanceOf(actor), revenueColumns }: AccountOrigin = {},
): Promise<AccountRow> {
  const { annual_revenue, address, custom: requestedCustom, ...fields } = input
  const now = clock.now()
  const domain = fields.domain?.toLowerCase() ?? null
  assertValidCountryAndTimezone({ timezone: fields.timezone })
  assertValidCountryAndTimezone({ country: address?.country }, '/address')
  if (domain) await assertAccountDomainUnused(tx, domain)
  if (fields.parent_account_id) await assertParentAccount(tx, null, fields.parent_account_id)
  await assertAssignable(tx, fields.owner_id)

  const mayOmitRequired = provenance === 'convert'
  const custom = await checkNewCustomValues(tx, 'account', requestedCustom, { now, mayOmitRequired })
  const account = await insertAccount(tx, {
    id: newId(),
    ...fields,
    ...deriveAccountKeys({ ...fields, domain }),
    domain,
    ...(revenueColumns ?? (await toAnnualRevenueColumns(tx, annual_revenue ?? null))),
    address: address ? JSON.stringify(address) : null,
    custom: JSON.stringify(custom),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  })
  await storeCustomValues(tx, 'account', account)
  if (account.tags.length) await replaceTags(tx, 'account', account.id, account.tags)
  await recordProvenance(tx, 'account', account.id, nonEmptyFields(input), { source: provenance, at: now })
  await recordAudit(tx, 'account.created', { id: account.id, label: account.name, after: account })
  await emit(tx, accountCreated, account, { name: account.name })
  return account
}

export async function assertAccountDomainUnused(tx: TenantTx, domain: string, ownId?: string): Promise<void> {
  await lockAccountDomain(tx, domain)
  const existing = await findAccountIdByDomain(tx, domain)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'An account with this domain already exists.', { existing_id: existing })
}

export async function assertParentAccount(tx: TenantTx, accountId: string | null, parentId: string): Promise<void> {
  await lockTree(tx, accountTree)
  if (!(await findAccount(tx, parentId))) throw unknownReference('/parent_account_id', 'account')
  const levels = accountId === null ? 1 : await getSubtreeHeight(tx, accountTree, accountId)
  assertAccountHierarchy(accountId, await listSelfAndAncestorIds(tx, accountTree, parentId), levels)
}

type AccountKeyFields = { name: string; domain?: string | null; phone?: string | null; industry?: string | null }

export const deriveAccountKeys = ({ name, domain, phone, industry }: AccountKeyFields) => ({
  name_key: companyKey(name) ?? name,
  search_text: ` ${toSearchText(name, domain, industry, phone?.replace(/\D/g, ''))}`,
})
