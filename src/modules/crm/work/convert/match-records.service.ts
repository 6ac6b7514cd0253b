import type { TenantTx } from '#platform/db'
import { conflict, invalid, unknownReference } from '#platform/errors'
import {
  findAccountIdByDomain,
  findAccountIdByName,
  lockAccountDomain,
  lockCompanyName,
} from '../../people/accounts/account-matches.queries.ts'
import { type AccountRow, findAccount, lockAccountIncludingDeleted } from '../../people/accounts/accounts.queries.ts'
import {
  type ContactRow,
  findContactIdByEmail,
  findContactIncludingDeleted,
  lockContactEmail,
  lockContacts,
} from '../../people/contacts/contacts.queries.ts'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import type { ConvertLeadRequest } from './convert.schemas.ts'

export type MatchingRecords = { account?: AccountRow; contact?: ContactRow }

/** Locks the matching account and contact. Advisory locks make a concurrent conversion wait and find the same records. */
export async function lockMatchingRecords(
  tx: TenantTx,
  lead: LeadRow,
  request: ConvertLeadRequest,
): Promise<MatchingRecords> {
  if (lead.email_key) await lockContactEmail(tx, lead.email_key)
  if (lead.company_domain) await lockAccountDomain(tx, lead.company_domain)
  if (lead.company_key) await lockCompanyName(tx, lead.company_key)

  const contactId = request.contact_id ?? (lead.email_key && (await findContactIdByEmail(tx, lead.email_key)))
  const match = contactId ? await findContactIncludingDeleted(tx, contactId) : undefined
  const account = request.account_id
    ? await lockRequestedAccount(tx, request.account_id)
    : await lockFirstMatch(tx, [
        () => match?.account_id,
        () => lead.company_domain && findAccountIdByDomain(tx, lead.company_domain),
        () => lead.company_key && findAccountIdByName(tx, lead.company_key),
      ])
  const [contact] = match ? await lockContacts(tx, [match.id]) : []
  if (request.contact_id && !contact) throw unknownReference('/contact_id', 'contact')
  await assertSameAccount(tx, { account, contact }, request)
  return { account, contact }
}

async function lockRequestedAccount(tx: TenantTx, accountId: string): Promise<AccountRow> {
  const account = await lockAccountIfNotDeleted(tx, accountId)
  if (!account) throw unknownReference('/account_id', 'account')
  return account
}

type AccountSearch = () => string | null | undefined | '' | Promise<string | null | undefined>

async function lockFirstMatch(tx: TenantTx, searches: readonly AccountSearch[]): Promise<AccountRow | undefined> {
  for (const search of searches) {
    const id = await search()
    const account = id ? await lockAccountIfNotDeleted(tx, id) : undefined
    if (account) return account
  }
  return undefined
}

async function lockAccountIfNotDeleted(tx: TenantTx, id: string): Promise<AccountRow | undefined> {
  const account = await lockAccountIncludingDeleted(tx, id)
  return account?.deleted_at === null ? account : undefined
}

async function assertSameAccount(
  tx: TenantTx,
  { account, contact }: MatchingRecords,
  request: ConvertLeadRequest,
): Promise<void> {
  if (!contact?.account_id || contact.account_id === account?.id) return
  if (!(await findAccount(tx, contact.account_id))) return
  if (request.account_id)
    throw invalid(
      'body',
      '/account_id',
      'mismatch',
      '`account_id` must be the account of the contact. Correct it or leave it out.',
    )
  throw conflict('conflict', 'The contact was moved to another account at the same time. Try again.')
}
