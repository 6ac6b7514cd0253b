import type { TenantTx } from '#platform/db'
import { findOpportunity } from '../../deals/opportunities/opportunities.queries.ts'
import { Opportunity } from '../../deals/opportunities/opportunities.schemas.ts'
import { toOpportunityDetails } from '../../deals/opportunities/opportunity-details.service.ts'
import { findAccount } from '../../people/accounts/accounts.queries.ts'
import { Account } from '../../people/accounts/accounts.schemas.ts'
import { toAccountDetails } from '../../people/accounts/list-accounts.service.ts'
import { findContactIncludingDeleted } from '../../people/contacts/contacts.queries.ts'
import { Contact } from '../../people/contacts/contacts.schemas.ts'
import { toContactDetails } from '../../people/contacts/list-contacts.service.ts'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import { toLeadDetails } from '../../people/leads/lead-details.service.ts'
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
