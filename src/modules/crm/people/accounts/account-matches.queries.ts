import { sql } from 'kysely'
import { acquireAdvisoryLock, acquireAdvisoryLocks, type TenantTx } from '#platform/db'

/** Serializes concurrent creates with the same domain. Take it before any account row lock. */
export async function lockAccountDomain(tx: TenantTx, domain: string): Promise<void> {
  await acquireAdvisoryLock(tx, `account_domain:${domain}`)
}

export const lockAccountDomains = (tx: TenantTx, domains: readonly string[]): Promise<void> =>
  acquireAdvisoryLocks(
    tx,
    domains.map((domain) => `account_domain:${domain}`),
  )

/** Serializes conversions for the same company name. Take this lock after the domain lock. */
export async function lockCompanyName(tx: TenantTx, companyKey: string): Promise<void> {
  await acquireAdvisoryLock(tx, `account_name:${companyKey}`)
}

export const lockCompanyNames = (tx: TenantTx, companyKeys: readonly string[]): Promise<void> =>
  acquireAdvisoryLocks(
    tx,
    companyKeys.map((companyKey) => `account_name:${companyKey}`),
  )

export async function findAccountIdByDomain(tx: TenantTx, domain: string): Promise<string | undefined> {
  const account = await tx
    .selectFrom('crm.accounts')
    .select('id')
    .where('domain', '=', domain)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return account?.id
}

/** The keys of the result are domains in lower case. */
export async function findAccountIdsByDomains(tx: TenantTx, domains: readonly string[]): Promise<Map<string, string>> {
  if (!domains.length) return new Map()
  const accounts = await tx
    .selectFrom('crm.accounts')
    .select(['domain', 'id'])
    .where('domain', '=', sql<string>`any(${domains}::text[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return new Map(accounts.map(({ domain, id }) => [domain!, id]))
}

export async function findAccountIdByName(tx: TenantTx, nameKey: string): Promise<string | undefined> {
  return (await findAccountIdsByNames(tx, [nameKey])).get(nameKey)
}

export async function findAccountIdsByNames(tx: TenantTx, nameKeys: readonly string[]): Promise<Map<string, string>> {
  if (!nameKeys.length) return new Map()
  const accounts = await tx
    .selectFrom('crm.accounts')
    .select(['name_key', 'id'])
    .where('name_key', '=', sql<string>`any(${nameKeys}::text[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return new Map(accounts.map(({ name_key, id }) => [name_key, id]))
}
