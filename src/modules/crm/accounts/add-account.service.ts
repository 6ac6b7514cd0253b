import type { Actor } from '#platform/access'
import { record } from '#platform/audit'
import { levelsFrom, lineAbove, lockTree, searchText, type TenantTx } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { givenFields, mergeCustom } from '../changes/real-changes.rules.ts'
import { accountCreated } from '../crm.events.ts'
import { assertAssignable } from '../leads/assignment.service.ts'
import { assertKnownPlace } from '../leads/lead-values.ts'
import { revenueFields } from '../leads/revenue.service.ts'
import { companyKey } from '../persons/person-keys.ts'
import { noteProvenance, type Provenance, provenanceOf } from '../persons/provenance.queries.ts'
import { storeTags } from '../persons/tags.queries.ts'
import {
  type AccountRow,
  accountTree,
  findAccount,
  findAccountIdByDomain,
  holdDomain,
  insertAccount,
} from './accounts.queries.ts'
import { assertFits } from './accounts.rules.ts'
import type { NewAccount } from './accounts.schemas.ts'

/** Adds a company. A domain belongs to one live account. */
export async function addAccount(
  tx: TenantTx,
  actor: Actor,
  input: NewAccount,
  { clock }: Pick<Services, 'clock'>,
  { provenance = provenanceOf(actor) }: { provenance?: Provenance } = {},
): Promise<AccountRow> {
  const { annual_revenue, address, custom = {}, ...said } = input
  const now = clock.now()
  const domain = said.domain?.toLowerCase() ?? null
  assertKnownPlace({ timezone: said.timezone })
  assertKnownPlace({ country: address?.country }, '/address')
  if (domain) await assertDomainIsFree(tx, domain)
  if (said.parent_account_id) await assertParentFits(tx, null, said.parent_account_id)
  await assertAssignable(tx, said.owner_id)

  const account = await insertAccount(tx, {
    id: newId(),
    ...said,
    ...keysOf({ ...said, domain }),
    domain,
    ...(await revenueFields(tx, annual_revenue ?? null)),
    address: address ? JSON.stringify(address) : null,
    custom: JSON.stringify(mergeCustom({}, custom)),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  })
  if (account.tags.length) await storeTags(tx, 'account', account.id, account.tags)
  await noteProvenance(tx, 'account', account.id, givenFields(input), { source: provenance, at: now })
  await record(tx, 'account.created', { id: account.id, label: account.name, after: account })
  await emit(tx, accountCreated, account, { name: account.name })
  return account
}

/** Of two who come with the same domain at once, the second one waits and finds the first. */
export async function assertDomainIsFree(tx: TenantTx, domain: string, ownId?: string): Promise<void> {
  await holdDomain(tx, domain)
  const existing = await findAccountIdByDomain(tx, domain)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'There is an account with this domain already.', { existing_id: existing })
}

/** An account stands below another one of the workspace, and never below itself. */
export async function assertParentFits(tx: TenantTx, accountId: string | null, parentId: string): Promise<void> {
  await lockTree(tx, accountTree)
  if (!(await findAccount(tx, parentId))) throw unknownReference('/parent_account_id', 'account')
  const levels = accountId === null ? 1 : await levelsFrom(tx, accountTree, accountId)
  assertFits(accountId, await lineAbove(tx, accountTree, parentId), levels)
}

type Named = { name: string; domain?: string | null; phone?: string | null; industry?: string | null }

/** What an account is sorted and found by. */
export const keysOf = ({ name, domain, phone, industry }: Named) => ({
  name_key: companyKey(name) ?? name,
  search_text: ` ${searchText(name, domain, industry, phone?.replace(/\D/g, ''))}`,
})
