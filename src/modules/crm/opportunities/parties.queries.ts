import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** A contact that is not deleted, and will not be purged until the transaction ends. */
export async function contactExists(tx: TenantTx, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('crm.contacts')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

/** What contacts are called, but for those that were deleted. */
export async function namesOfContacts(tx: TenantTx, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)]
  if (!wanted.length) return new Map()
  const found = await tx
    .selectFrom('crm.contacts')
    .select(['id', 'name', 'email', 'phone'])
    .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(found.map(({ id, name, email, phone }) => [id, name ?? email ?? phone ?? '']))
}
