import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type Money, moneyOf } from '#platform/money'

export async function findAccountNames(tx: TenantTx, ids: Iterable<string>): Promise<Map<string, string>> {
  const uniqueIds = [...new Set(ids)]
  if (!uniqueIds.length) return new Map()
  const accounts = await tx
    .selectFrom('crm.accounts')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${uniqueIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(accounts.map(({ id, name }) => [id, name]))
}

export async function findContactNames(tx: TenantTx, ids: Iterable<string>): Promise<Map<string, string>> {
  const uniqueIds = [...new Set(ids)]
  if (!uniqueIds.length) return new Map()
  const contacts = await tx
    .selectFrom('crm.contacts')
    .select(['id', 'name', 'email', 'phone'])
    .where('id', '=', sql<string>`any(${uniqueIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(contacts.map(({ id, name, email, phone }) => [id, name ?? email ?? phone ?? '']))
}

type RecordKind = 'lead' | 'contact' | 'account' | 'opportunity'

/** Reads the names of records of several kinds in one statement, by id. Deleted records have a name too. */
export async function findRecordNames(
  tx: TenantTx,
  ids: Readonly<Record<RecordKind, readonly string[]>>,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string | null }>`
    select id, coalesce(name, email, phone, company) as name from crm.leads where id = any(${ids.lead}::uuid[])
    union all
    select id, coalesce(name, email, phone) from crm.contacts where id = any(${ids.contact}::uuid[])
    union all
    select id, name from crm.accounts where id = any(${ids.account}::uuid[])
    union all
    select id, name from crm.opportunities where id = any(${ids.opportunity}::uuid[])
  `.execute(tx)
  return new Map(rows.map(({ id, name }) => [id, name ?? '']))
}

/** Returns the names by id, without deleted accounts, which keep them until the transaction ends. */
export async function lockAccountNamesShared(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const accounts = await tx
    .selectFrom('crm.accounts')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return new Map(accounts.map(({ id, name }) => [id, name]))
}

/** Keeps the account undeleted and its name unchanged until the transaction ends. */
export function lockAccountShared(tx: TenantTx, id: string) {
  return tx
    .selectFrom('crm.accounts')
    .select(['id', 'name', 'deleted_at'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

type OpportunityReference = {
  id: string
  name: string
  stage_key: string
  kind: string
  account_id: string | null
  amount: Money | null
  close_on: string
}

export async function findOpportunityReferences(
  tx: TenantTx,
  ids: Iterable<string>,
): Promise<Map<string, OpportunityReference>> {
  const uniqueIds = [...new Set(ids)]
  if (!uniqueIds.length) return new Map()
  const deals = await tx
    .selectFrom('crm.opportunities')
    .select(['id', 'name', 'stage_key', 'kind', 'account_id', 'amount_minor', 'amount_currency', 'close_on'])
    .where('id', '=', sql<string>`any(${uniqueIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(
    deals.map(({ amount_minor, amount_currency, ...deal }) => [
      deal.id,
      { ...deal, amount: moneyOf(amount_minor, amount_currency) },
    ]),
  )
}

type ContactReference = { id: string; name: string | null; email: string | null; account_id: string | null }

export async function findContactReferences(
  tx: TenantTx,
  ids: Iterable<string>,
): Promise<Map<string, ContactReference>> {
  const uniqueIds = [...new Set(ids)]
  if (!uniqueIds.length) return new Map()
  const contacts = await tx
    .selectFrom('crm.contacts')
    .select(['id', 'name', 'email', 'account_id'])
    .where('id', '=', sql<string>`any(${uniqueIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(contacts.map((contact) => [contact.id, contact]))
}
