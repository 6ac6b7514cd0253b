import type { TenantTx } from '#platform/db'
import { findAccount } from '../accounts/accounts.queries.ts'
import { Account } from '../accounts/accounts.schemas.ts'
import { showAccount } from '../accounts/find-accounts.service.ts'
import { findAnyContact } from '../contacts/contacts.queries.ts'
import { Contact } from '../contacts/contacts.schemas.ts'
import { showContact } from '../contacts/find-contacts.service.ts'
import type { LeadRow } from '../leads/leads.queries.ts'
import { showLead } from '../leads/show-leads.service.ts'
import { findOpportunity } from '../opportunities/opportunities.queries.ts'
import { Opportunity } from '../opportunities/opportunities.schemas.ts'
import { showOpportunity } from '../opportunities/show-opportunities.service.ts'
import type { Conversion } from './convert.schemas.ts'

type Told = Pick<Conversion, 'created' | 'already_converted'>

/** A converted lead with what it became. What was deleted since is left out. */
export async function showConversion(tx: TenantTx, lead: LeadRow, told: Told, now: Date): Promise<Conversion> {
  const { converted_account_id, converted_contact_id, converted_opportunity_id } = lead
  const account = converted_account_id ? await findAccount(tx, converted_account_id) : undefined
  const contact = converted_contact_id ? await findAnyContact(tx, converted_contact_id) : undefined
  const deal = converted_opportunity_id ? await findOpportunity(tx, converted_opportunity_id) : undefined
  return {
    lead: await showLead(tx, lead, now),
    account: account ? exactly(Account, await showAccount(tx, account)) : null,
    contact: contact?.deleted_at === null ? exactly(Contact, await showContact(tx, contact)) : null,
    opportunity: deal ? exactly(Opportunity, await showOpportunity(tx, deal, now)) : null,
    ...told,
  }
}

/** What may be null is compared with its schema as a whole, where a column nobody is shown would not fit. */
const exactly = <T extends object>({ properties }: { properties: object }, shown: T): T =>
  Object.fromEntries(Object.entries(shown).filter(([field]) => field in properties)) as T
