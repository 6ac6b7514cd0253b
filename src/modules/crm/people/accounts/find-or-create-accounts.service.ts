import type { Actor } from '#platform/access'
import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { requireValue } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emitMany } from '#platform/outbox'
import { accountCreated } from '../../crm.events.ts'
import { checkManyNewValues } from '../../records/custom-values/check-custom-values.service.ts'
import { indexCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { provenanceOf, recordProvenances } from '../../records/fields/provenance.queries.ts'
import { nonEmptyFields } from '../../records/fields/record.rules.ts'
import { companyKey } from '../../records/person-keys/person-keys.ts'
import {
  findAccountIdsByDomains,
  findAccountIdsByNames,
  lockAccountDomains,
  lockCompanyNames,
} from './account-matches.queries.ts'
import { insertNamedAccounts } from './accounts.queries.ts'
import { deriveAccountKeys } from './create-account.service.ts'

/** At least one of both is required. */
export type WantedAccount = { name: string | null; domain: string | null }

/**
 * Finds accounts by domain, then by name, and creates the others, with a fixed number of statements. Returns ids in the order of
 * `wanted`; equal ones are one account. A new account may omit required custom fields.
 */
export async function findOrCreateAccounts(
  tx: TenantTx,
  actor: Actor,
  wanted: readonly WantedAccount[],
  { clock }: Pick<Services, 'clock'>,
): Promise<string[]> {
  const keyed = wanted.map(({ name, domain }) => ({
    name: name ?? domain!,
    domain: domain?.toLowerCase() ?? null,
    nameKey: companyKey(name ?? domain!) ?? name ?? domain!,
  }))
  const domains = keyed.flatMap(({ domain }) => domain ?? [])
  const nameKeys = keyed.map(({ nameKey }) => nameKey)
  await lockAccountDomains(tx, domains)
  await lockCompanyNames(tx, nameKeys)
  const byDomain = await findAccountIdsByDomains(tx, domains)
  const byName = await findAccountIdsByNames(tx, nameKeys)
  const created: { id: string; name: string; domain: string | null }[] = []
  const ids = keyed.map(({ name, domain, nameKey }) => {
    const found = (domain && byDomain.get(domain)) || byName.get(nameKey)
    const id = found ?? newId()
    if (!found) created.push({ id, name, domain })
    if (domain && !byDomain.has(domain)) byDomain.set(domain, id)
    byName.set(nameKey, byName.get(nameKey) ?? id)
    return id
  })
  if (created.length) await insertNew(tx, actor, created, clock.now())
  return ids
}

type NewNamedAccount = { id: string; name: string; domain: string | null }

async function insertNew(tx: TenantTx, actor: Actor, created: readonly NewNamedAccount[], now: Date): Promise<void> {
  const options = { now, mayOmitRequired: true }
  const customs = await checkManyNewValues(
    tx,
    'account',
    created.map(() => ({})),
    options,
  )
  const rows = created.map((account, index) => ({
    ...account,
    ...deriveAccountKeys(account),
    custom: requireValue(customs[index]!),
  }))
  const accounts = await insertNamedAccounts(tx, rows, { created_by: actor.userId, created_at: now })
  await Promise.all([
    indexCustomValues(tx, 'account', accounts),
    recordProvenances(
      tx,
      'account',
      created.map(({ id, ...fields }) => ({ id, fields: nonEmptyFields(fields) })),
      { source: provenanceOf(actor), at: now },
    ),
    recordAuditEntries(
      tx,
      'account.created',
      accounts.map((account) => ({ id: account.id, label: account.name, after: account })),
    ),
    emitMany(
      tx,
      accountCreated,
      accounts.map((account) => ({ subject: account, data: { name: account.name } })),
    ),
  ])
}
