import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type PersonValues = Record<string, unknown> & { id: string; custom: unknown }

export async function listLeadValues(tx: TenantTx, ids: readonly string[]): Promise<PersonValues[]> {
  if (!ids.length) return []
  return await tx
    .selectFrom('crm.leads')
    .select(['id', 'first_name', 'last_name', 'name', 'title', 'email', 'phone', 'linkedin_url'])
    .select(['country', 'region', 'city', 'company', 'company_domain', 'website', 'industry', 'employee_count'])
    .select(['custom', 'company as account_name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export async function listContactValues(tx: TenantTx, ids: readonly string[]): Promise<PersonValues[]> {
  if (!ids.length) return []
  return await tx
    .selectFrom('crm.contacts')
    .select(['id', 'first_name', 'last_name', 'name', 'title', 'email', 'phone', 'linkedin_url'])
    .select(['country', 'region', 'city', 'department', 'custom', 'account_name', 'account_name as company'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}
