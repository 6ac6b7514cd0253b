import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { ImportedType } from './import-fields.rules.ts'

/** Two records per key show that a match is not unique. */
const perKey = sql.lit(2)

type Match = { key: string; id: string }

const tableOf = (objectType: ImportedType) => sql.table(objectType === 'lead' ? 'crm.leads' : 'crm.contacts')

type LeadSelection = { isConverted: boolean }

export async function listByEmail(
  tx: TenantTx,
  objectType: ImportedType,
  keys: readonly string[],
  { isConverted }: LeadSelection,
): Promise<Match[]> {
  const selected = objectType === 'lead' ? sql`and (record.status = 'converted') = ${isConverted}` : sql``
  const { rows } = await sql<Match>`
    select wanted.key, found.id from unnest(${keys}::text[]) as wanted (key)
    cross join lateral (
      select record.id from ${tableOf(objectType)} record
      where record.email_key = wanted.key and record.deleted_at is null ${selected} limit ${perKey}
    ) as found
  `.execute(tx)
  return rows
}

export type NameAndCompany = { key: string; nameKey: string; companyKey: string }

export async function listLeadsByName(
  tx: TenantTx,
  keys: readonly NameAndCompany[],
  { isConverted }: LeadSelection,
): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select wanted.key, found.id
    from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ nameKey }) => nameKey)}::text[],
      ${keys.map(({ companyKey }) => companyKey)}::text[]) as wanted (key, name_key, company_key)
    cross join lateral (
      select lead.id from crm.leads lead
      where lead.name_key = wanted.name_key and lead.company_key = wanted.company_key and lead.deleted_at is null
        and (lead.status = 'converted') = ${isConverted}
      order by lead.created_at, lead.id limit ${perKey}
    ) as found
  `.execute(tx)
  return rows
}

const maxAccounts = sql.lit(200)

export async function listContactsByName(tx: TenantTx, keys: readonly NameAndCompany[]): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select wanted.key, found.id
    from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ nameKey }) => nameKey)}::text[],
      ${keys.map(({ companyKey }) => companyKey)}::text[]) as wanted (key, name_key, company_key)
    cross join lateral (
      select contact.id from (
        select account.id from crm.accounts account
        where account.name_key = wanted.company_key and account.deleted_at is null limit ${maxAccounts}
      ) as named
      cross join lateral (
        select contact.id from crm.contacts contact
        where contact.name_key = wanted.name_key and contact.account_id = named.id and contact.deleted_at is null limit ${perKey}
      ) as contact limit ${perKey}
    ) as found
  `.execute(tx)
  return rows
}

export async function listConvertedContacts(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (!ids.length) return new Map()
  const { rows } = await sql<{ id: string; converted_contact_id: string | null }>`
    select id, converted_contact_id from crm.leads where id = any(${ids}::uuid[]) and status = 'converted'
  `.execute(tx)
  return new Map(rows.map(({ id, converted_contact_id }) => [id, converted_contact_id]))
}

export async function listRecordVersions(
  tx: TenantTx,
  objectType: ImportedType,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (!ids.length) return new Map()
  const { rows } = await sql<{ id: string; version: number }>`
    select id, version from ${tableOf(objectType)} where id = any(${ids}::uuid[])
  `.execute(tx)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** Addresses and numbers of persons whose erasure was requested or has ended since. */
export async function listErasedHashes(tx: TenantTx, hashes: readonly Buffer[], since: Date): Promise<Buffer[]> {
  const { rows } = await sql<{ subject_hash: Buffer }>`
    select subject_hash from crm.suppressions
    where subject_hash = any(${hashes}::bytea[]) and reason = 'erased' and at >= ${since}::timestamptz
    union
    select subject_hash from crm.erasure_requests
    where subject_hash = any(${hashes}::bytea[]) and (state <> 'completed' or finished_at >= ${since}::timestamptz)
  `.execute(tx)
  return rows.map(({ subject_hash }) => subject_hash)
}
