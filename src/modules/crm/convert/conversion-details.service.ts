import type { TenantTx } from '#platform/db'
import { findAccount } from '../accounts/accounts.queries.ts'
import { Account } from '../accounts/accounts.schemas.ts'
import { toAccountDetails } from '../accounts/list-accounts.service.ts'
import { findContactIncludingDeleted } from '../contacts/contacts.queries.ts'
import { Contact } from '../contacts/contacts.schemas.ts'
import { toContactDetails } from '../contacts/list-contacts.service.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import { toLeadDetails } from '../leads/lead-details.service.ts'
import { findOpportunity } from '../opportunities/opportunities.queries.ts'
import { Opportunity } from '../opportunities/opportunities.schemas.ts'
import { toOpportunityDetails } from '../opportunities/opportunity-details.service.ts'
import type { Conversion } from './convert.schemas.ts'

type ConversionFlags = Pick<Conversion, 'created' | 'already_converted'>

export async function toConversion(
  tx: TenantTx,
  lead: LeadRow,
  flags: ConversionFlags,
  now: Date,
): Promise<Conversion> {
  const { converted_account_id, converted_contact_id, converted_opportunity_id } = lead
  const account = converted_account_id ? await findAccount(tx, converted_account_id) : undefined
  const contact = converted_contact_id ? await findContactIncludingDeleted(tx, converted_contact_id) : undefined
  const deal = converted_opportunity_id ? await findOpportunity(tx, converted_opportunity_id) : undefined
  return {
    lead: await toLeadDetails(tx, lead, now),
    account: account ? pickProperties(Account, await toAccountDetails(tx, account)) : null,
    contact: contact?.deleted_at === null ? pickProperties(Contact, await toContactDetails(tx, contact)) : null,
    opportunity: deal ? pickProperties(Opportunity, await toOpportunityDetails(tx, deal, now)) : null,
    ...flags,
  }
}

/** Nullable schemas are serialized as a union, and no branch matches an object with additional properties. */
const pickProperties = <T extends object>({ properties }: { properties: object }, value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([field]) => field in properties)) as T
