import type { TenantTx } from '#platform/db'
import { conflict, invalid, unknownReference } from '#platform/errors'
import {
  type AccountRow,
  findAccount,
  findAccountIdByDomain,
  holdDomain,
  lockAnyAccount,
} from '../accounts/accounts.queries.ts'
import {
  type ContactRow,
  findAnyContact,
  findContactIdByEmail,
  holdContactAddress,
  lockContacts,
} from '../contacts/contacts.queries.ts'
import type { LeadRow } from '../leads/leads.queries.ts'
import { findAccountIdByName, holdCompany } from './convert.queries.ts'
import type { ConversionWish } from './convert.schemas.ts'

export type Matches = { account?: AccountRow; contact?: ContactRow }

/**
 * Who and what is known of a lead already, locked: first the keys they are found by, then the account, then the contact. Of two
 * conversions that mean the same the second one waits and finds what the first one made.
 */
export async function lockMatches(tx: TenantTx, lead: LeadRow, wish: ConversionWish): Promise<Matches> {
  if (lead.email_key) await holdContactAddress(tx, lead.email_key)
  if (lead.company_domain) await holdDomain(tx, lead.company_domain)
  if (lead.company_key) await holdCompany(tx, lead.company_key)

  const contactId = wish.contact_id ?? (lead.email_key && (await findContactIdByEmail(tx, lead.email_key)))
  const met = contactId ? await findAnyContact(tx, contactId) : undefined
  const account = wish.account_id
    ? await lockGiven(tx, wish.account_id)
    : await lockFirst(tx, [
        () => met?.account_id,
        () => lead.company_domain && findAccountIdByDomain(tx, lead.company_domain),
        () => lead.company_key && findAccountIdByName(tx, lead.company_key),
      ])
  const [contact] = met ? await lockContacts(tx, [met.id]) : []
  if (wish.contact_id && !contact) throw unknownReference('/contact_id', 'contact')
  await assertTogether(tx, { account, contact }, wish)
  return { account, contact }
}

async function lockGiven(tx: TenantTx, accountId: string): Promise<AccountRow> {
  const account = await lockLive(tx, accountId)
  if (!account) throw unknownReference('/account_id', 'account')
  return account
}

type Search = () => string | null | undefined | '' | Promise<string | null | undefined>

async function lockFirst(tx: TenantTx, searches: readonly Search[]): Promise<AccountRow | undefined> {
  for (const search of searches) {
    const id = await search()
    const account = id ? await lockLive(tx, id) : undefined
    if (account) return account
  }
  return undefined
}

async function lockLive(tx: TenantTx, id: string): Promise<AccountRow | undefined> {
  const account = await lockAnyAccount(tx, id)
  return account?.deleted_at === null ? account : undefined
}

/** A contact works at one account. One that was deleted is none. */
async function assertTogether(tx: TenantTx, { account, contact }: Matches, wish: ConversionWish): Promise<void> {
  if (!contact?.account_id || contact.account_id === account?.id) return
  if (!(await findAccount(tx, contact.account_id))) return
  if (wish.account_id)
    throw invalid('body', '/account_id', 'mismatch', 'The contact belongs to another account. Name that one, or none.')
  throw conflict('conflict', 'Somebody moved the contact to another account at this moment. Try again.')
}
