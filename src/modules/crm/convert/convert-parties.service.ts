import { activeUsersAmong } from '#modules/identity'
import type { SignedIn } from '#platform/access'
import { dayAt } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict, pointingInto } from '#platform/errors'
import type { Services } from '#platform/module'
import { type AccountRow, findAccountIdByDomain } from '../accounts/accounts.queries.ts'
import { addAccount } from '../accounts/add-account.service.ts'
import { changeAccount } from '../accounts/change-account.service.ts'
import { addContact } from '../contacts/add-contact.service.ts'
import { changeContact } from '../contacts/change-contact.service.ts'
import { raiseContactStage } from '../contacts/contact-stage.service.ts'
import { type ContactRow, changeContactFields, findContactIdByEmail } from '../contacts/contacts.queries.ts'
import type { LeadRow } from '../leads/leads.queries.ts'
import { atLeast } from '../leads/stage.rules.ts'
import { openOpportunity } from '../opportunities/open-opportunity.service.ts'
import type { OpportunityRow } from '../opportunities/opportunities.queries.ts'
import { addDays } from '../rules/days.rules.ts'
import { readCrmSettings, timezoneOf } from '../settings/crm-settings.queries.ts'
import { companyIn, missingIn, newAccountOf, objectionsOf, personIn } from './convert.rules.ts'
import type { ConversionWish } from './convert.schemas.ts'

type ConvertServices = Pick<Services, 'clock' | 'secrets'>
const provenance = 'convert'

/** Work is not handed on to somebody who has left. */
export const ownerStillHere = async (tx: TenantTx, ownerId: string | null): Promise<string | null> =>
  ownerId && (await activeUsersAmong(tx, [ownerId])).has(ownerId) ? ownerId : null

type ForAccount = { lead: LeadRow; met: AccountRow | undefined; owner_id: string | null }

/** The account a lead belongs to: the one that is there, with what it lacked, or a new one. */
export async function takeAccount(
  tx: TenantTx,
  actor: SignedIn,
  { lead, met, owner_id }: ForAccount,
  services: ConvertServices,
): Promise<AccountRow> {
  if (!met) return await addAccount(tx, actor, { ...newAccountOf(lead), owner_id }, services, { provenance })
  const changes = missingIn(met, { ...companyIn(lead), owner_id })
  if (changes.domain && (await findAccountIdByDomain(tx, changes.domain))) delete changes.domain
  return await changeAccount(tx, actor, met.id, { changes, provenance }, services)
}

type ForContact = { lead: LeadRow; met: ContactRow | undefined; owner_id: string | null; account: AccountRow }

/** The contact a lead becomes. Nobody falls behind what they had reached, or is asked again what they had refused. */
export async function takeContact(
  tx: TenantTx,
  actor: SignedIn,
  { lead, met, owner_id, account }: ForContact,
  services: ConvertServices,
): Promise<ContactRow> {
  const taken = met
    ? await fillContact(tx, actor, met, { ...personIn(lead), owner_id }, account.id, services)
    : await newContact(tx, actor, lead, { owner_id, account_id: account.id }, services)
  const objections = objectionsOf(lead, taken)
  return Object.keys(objections).length ? await changeContactFields(tx, taken.id, objections) : taken
}

async function fillContact(
  tx: TenantTx,
  actor: SignedIn,
  met: ContactRow,
  said: ReturnType<typeof personIn> & { owner_id: string | null },
  account_id: string,
  services: ConvertServices,
): Promise<ContactRow> {
  const changes = { ...missingIn(met, said), account_id }
  if (changes.email && (await findContactIdByEmail(tx, changes.email.toLowerCase()))) delete changes.email
  const filled = await changeContact(tx, actor, met.id, { changes, provenance }, services)
  return await raiseContactStage(tx, filled, 'sql', { cause: 'convert', now: services.clock.now() })
}

type Place = { owner_id: string | null; account_id: string }

async function newContact(tx: TenantTx, actor: SignedIn, lead: LeadRow, place: Place, services: ConvertServices) {
  if (!lead.email && !lead.phone && !lead.last_name)
    throw conflict(
      'conflict',
      'A contact needs a last name, an address or a phone number. Give the lead one of them first.',
    )
  const lifecycle_stage = atLeast(lead.lifecycle_stage, 'sql')
  const input = { ...personIn(lead), ...place, source: lead.source, lifecycle_stage }
  return await addContact(tx, actor, input, services, { lead_id: lead.id, provenance })
}

type ForDeal = {
  lead: LeadRow
  account: AccountRow
  contact: ContactRow
  owner_id: string | null
  wish: ConversionWish
}

export async function openDeal(
  tx: TenantTx,
  actor: SignedIn,
  { lead, account, contact, owner_id, wish }: ForDeal,
  services: ConvertServices,
): Promise<OpportunityRow> {
  const { convert } = await readCrmSettings(tx)
  const today = dayAt(services.clock.now().getTime(), await timezoneOf(tx))
  const month = today.slice(0, 7)
  const deal = {
    // So that a long name of the account does not push the month out.
    name: `${account.name.slice(0, 190)} - ${month}`,
    close_on: addDays(today, convert.close_in_days),
    ...wish.opportunity,
    account_id: account.id,
    primary_contact_id: contact.id,
    owner_id,
    source: lead.source,
    lead_id: lead.id,
  }
  return await pointingInto('/opportunity', () => openOpportunity(tx, actor, deal, services))
}
