import { filterActiveUserIds, timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { addDays, dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { conflict, withErrorPathPrefix } from '#platform/errors'
import type { Services } from '#platform/module'
import { createOpportunity } from '../../deals/opportunities/create-opportunity.service.ts'
import type { OpportunityRow } from '../../deals/opportunities/opportunities.queries.ts'
import { findAccountIdByDomain } from '../../people/accounts/account-matches.queries.ts'
import type { AccountRow } from '../../people/accounts/accounts.queries.ts'
import { type AccountOrigin, createAccount } from '../../people/accounts/create-account.service.ts'
import { updateAccount } from '../../people/accounts/update-account.service.ts'
import { inheritConsent } from '../../people/consent/inherit-consent.service.ts'
import { advanceContactStage } from '../../people/contacts/contact-stage.service.ts'
import { type ContactRow, findContactIdByEmail, updateContactRow } from '../../people/contacts/contacts.queries.ts'
import { createContact } from '../../people/contacts/create-contacts.service.ts'
import { updateContact } from '../../people/contacts/update-contacts.service.ts'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import { laterStage } from '../../people/lead-records/leads.rules.ts'
import type { CustomValues } from '../../records/custom-values/custom-values.schemas.ts'
import { mapCustomValues } from '../../records/custom-values/map-custom-values.service.ts'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import { isSameConsent, missingFields, toAccountFields, toContactFields, toNewAccount } from './convert.rules.ts'
import type { ConvertLeadRequest } from './convert.schemas.ts'

export type ConvertServices = Pick<Services, 'clock' | 'secrets'>
const provenance = 'convert'

function accountOriginOf(lead: LeadRow): AccountOrigin {
  const { annual_revenue_minor, annual_revenue_currency, annual_revenue_base_minor } = lead
  return { provenance, revenueColumns: { annual_revenue_minor, annual_revenue_currency, annual_revenue_base_minor } }
}

export const activeOwnerOrNull = async (tx: TenantTx, ownerId: string | null): Promise<string | null> =>
  ownerId && (await filterActiveUserIds(tx, [ownerId])).has(ownerId) ? ownerId : null

type AccountInput = { lead: LeadRow; existing: AccountRow | undefined; owner_id: string | null }

export async function findOrCreateAccount(
  tx: TenantTx,
  actor: UserActor,
  { lead, existing, owner_id }: AccountInput,
  services: ConvertServices,
): Promise<AccountRow> {
  const origin = accountOriginOf(lead)
  const custom = await mapCustomValues(tx, 'account', { lead, existing, now: services.clock.now() })
  if (!existing) return await createAccount(tx, actor, { ...toNewAccount(lead), owner_id, custom }, services, origin)
  const changes = { ...missingFields(existing, { ...toAccountFields(lead), owner_id }), ...nonEmptyCustom(custom) }
  if (changes.domain && (await findAccountIdByDomain(tx, changes.domain))) delete changes.domain
  return await updateAccount(tx, actor, existing.id, { changes, ...origin }, services)
}

const nonEmptyCustom = (custom: CustomValues) => (Object.keys(custom).length ? { custom } : {})

type ContactInput = { lead: LeadRow; existing: ContactRow | undefined; owner_id: string | null; account: AccountRow }

export async function findOrCreateContact(
  tx: TenantTx,
  actor: UserActor,
  { lead, existing, owner_id, account }: ContactInput,
  services: ConvertServices,
): Promise<ContactRow> {
  const custom = await mapCustomValues(tx, 'contact', { lead, existing, now: services.clock.now() })
  const links = { owner_id, account_id: account.id, ...nonEmptyCustom(custom) }
  const contact = existing
    ? await fillContact(tx, actor, existing, { ...toContactFields(lead), owner_id }, links, services)
    : await createContactFromLead(tx, actor, lead, links, services)
  const target = { ...contact, ref: { kind: 'contact' as const, id: contact.id } }
  const source = `conversion of lead ${lead.id}`
  const consent = await inheritConsent(tx, services, { target, records: [contact, lead], source })
  return isSameConsent(contact, consent) ? contact : await updateContactRow(tx, contact.id, consent)
}

async function fillContact(
  tx: TenantTx,
  actor: UserActor,
  existing: ContactRow,
  fields: ReturnType<typeof toContactFields> & { owner_id: string | null },
  { account_id, custom }: ContactLinks,
  services: ConvertServices,
): Promise<ContactRow> {
  const changes = { ...missingFields(existing, fields), account_id, ...(custom && { custom }) }
  if (changes.email && (await findContactIdByEmail(tx, changes.email.toLowerCase()))) delete changes.email
  const filled = await updateContact(tx, actor, existing.id, { changes, provenance }, services)
  return await advanceContactStage(tx, filled, 'sql', { cause: 'convert', now: services.clock.now() })
}

type ContactLinks = { owner_id: string | null; account_id: string; custom?: CustomValues }

async function createContactFromLead(
  tx: TenantTx,
  actor: UserActor,
  lead: LeadRow,
  links: ContactLinks,
  services: ConvertServices,
) {
  if (!lead.email && !lead.phone && !lead.last_name)
    throw conflict('conflict', 'A contact requires `last_name`, `email` or `phone`. Add one of them to the lead first.')
  const lifecycle_stage = laterStage(lead.lifecycle_stage, 'sql')
  const input = { ...toContactFields(lead), ...links, source: lead.source, lifecycle_stage }
  return await createContact(tx, actor, input, services, { lead_id: lead.id, provenance })
}

type DealInput = {
  lead: LeadRow
  account: AccountRow
  contact: ContactRow
  owner_id: string | null
  request: ConvertLeadRequest
}

export async function createDeal(
  tx: TenantTx,
  actor: UserActor,
  { lead, account, contact, owner_id, request }: DealInput,
  services: ConvertServices,
): Promise<OpportunityRow> {
  const { convert } = await readCrmSettings(tx)
  const today = dayInTimezone(services.clock.now().getTime(), await timezoneOf(tx))
  const month = today.slice(0, 7)
  const deal = {
    // Truncated so that the month always fits.
    name: `${account.name.slice(0, 190)} - ${month}`,
    close_on: addDays(today, convert.close_in_days),
    ...request.opportunity,
    account_id: account.id,
    primary_contact_id: contact.id,
    owner_id,
    source: lead.source,
    lead_id: lead.id,
    custom: await mapCustomValues(tx, 'opportunity', { lead, now: services.clock.now() }),
  }
  return await withErrorPathPrefix('/opportunity', () => createOpportunity(tx, actor, deal, services))
}
