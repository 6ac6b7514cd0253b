import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

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
