import type { TenantTx } from '#platform/db'
import { findAccount } from '../accounts/accounts.queries.ts'
import { getContact } from '../contacts/contacts.queries.ts'
import { getLead } from '../leads/leads.queries.ts'
import { findTwins, type Recognised, type Twin } from './duplicates.queries.ts'
import type { Duplicate } from './duplicates.schemas.ts'

type Duplicates = { items: Duplicate[]; total: number }

export async function findContactDuplicates(tx: TenantTx, contactId: string): Promise<Duplicates> {
  const { id, email_key, name_key, account_id } = await getContact(tx, contactId)
  const account = account_id === null ? undefined : await findAccount(tx, account_id)
  return await findDuplicates(tx, { id, email_key, name_key, company_key: account?.name_key ?? null })
}

export const findLeadDuplicates = async (tx: TenantTx, leadId: string): Promise<Duplicates> =>
  await findDuplicates(tx, await getLead(tx, leadId))

async function findDuplicates(tx: TenantTx, record: Recognised): Promise<Duplicates> {
  const items = (await findTwins(tx, record)).map(toDuplicate)
  return { items, total: items.length }
}

function toDuplicate({ entity_type, by_email, ...record }: Twin): Duplicate {
  return { entity_type, record, match: by_email ? 'email' : 'name_company', confidence: by_email ? 1 : 0.8 }
}
