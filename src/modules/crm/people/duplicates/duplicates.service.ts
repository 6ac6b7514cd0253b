import type { TenantTx } from '#platform/db'
import { findAccount } from '../accounts/accounts.queries.ts'
import { getContact } from '../contacts/contacts.queries.ts'
import { getLead } from '../lead-records/leads.queries.ts'
import { type DuplicateRow, listDuplicateRows, type MatchKeys, maxDuplicates } from './duplicates.queries.ts'
import type { Duplicate, Duplicates } from './duplicates.schemas.ts'

export async function listContactDuplicates(tx: TenantTx, contactId: string): Promise<Duplicates> {
  const { id, email_key, name_key, account_id } = await getContact(tx, contactId)
  const account = account_id === null ? undefined : await findAccount(tx, account_id)
  return await findDuplicates(tx, { id, email_key, name_key, company_key: account?.name_key ?? null })
}

export const listLeadDuplicates = async (tx: TenantTx, leadId: string): Promise<Duplicates> =>
  await findDuplicates(tx, await getLead(tx, leadId))

async function findDuplicates(tx: TenantTx, record: MatchKeys): Promise<Duplicates> {
  const rows = await listDuplicateRows(tx, record)
  const items = rows.slice(0, maxDuplicates).map(toDuplicate)
  return { items, total: items.length, total_relation: rows.length > maxDuplicates ? 'gte' : 'eq' }
}

export const countDuplicates = async (tx: TenantTx, record: MatchKeys): Promise<number> =>
  Math.min((await listDuplicateRows(tx, record)).length, maxDuplicates)

function toDuplicate({ entity_type, by_email, ...record }: DuplicateRow): Duplicate {
  return { entity_type, record, match: by_email ? 'email' : 'name_company', confidence: by_email ? 1 : 0.8 }
}
