import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { findRecordConsent } from '../consent/find-consent.service.ts'
import { contactCreated } from '../crm.events.ts'
import { checkNewCustomValues } from '../custom-values/check-custom-values.service.ts'
import { storeCustomValues } from '../custom-values/store-custom-values.service.ts'
import { insertLifecycleEvents } from '../persons/lifecycle.queries.ts'
import { nonEmptyFields } from '../records/changed-fields.rules.ts'
import { assertAssignable } from '../records/owners.service.ts'
import { assertValidCountryAndTimezone } from '../records/place.rules.ts'
import { defaultSourceOf, type Provenance, provenanceOf, recordProvenance } from '../records/provenance.queries.ts'
import { lockAccountShared } from '../records/record-names.queries.ts'
import { replaceTags } from '../records/tags.queries.ts'
import { toContactStageColumns } from './contact-stage.rules.ts'
import { assertContactIdentifiable, contactLabel, deriveContactColumns } from './contact-values.ts'
import { type ContactRow, findContactIdByEmail, insertContact, lockContactEmail } from './contacts.queries.ts'
import type { NewContact } from './contacts.schemas.ts'

export type ContactServices = Pick<Services, 'clock' | 'secrets'>

type CreateContactOptions = { lead_id?: string; provenance?: Provenance }

export async function createContact(
  tx: TenantTx,
  actor: Actor,
  input: NewContact,
  services: ContactServices,
  { lead_id, provenance = provenanceOf(actor) }: CreateContactOptions = {},
): Promise<ContactRow> {
  assertContactIdentifiable(input)
  assertValidCountryAndTimezone(input)
  if (input.email) await assertContactEmailUnused(tx, input.email)
  await assertAssignable(tx, input.owner_id)
  const account_name = await lockAccountName(tx, input.account_id)

  const now = services.clock.now()
  const mayOmitRequired = provenance === 'convert'
  const custom = await checkNewCustomValues(tx, 'contact', input.custom, { now, mayOmitRequired })
  const contact = await insertContact(tx, {
    ...(await toContactRow(tx, actor, { ...input, custom, account_name }, services)),
    lead_id,
  })
  await storeCustomValues(tx, 'contact', contact)
  if (contact.tags.length) await replaceTags(tx, 'contact', contact.id, contact.tags)
  await recordProvenance(tx, 'contact', contact.id, nonEmptyFields(input), { source: provenance, at: now })
  await insertLifecycleEvents(tx, [{ contact_id: contact.id, from: null, to: contact.lifecycle_stage }], now)
  await recordAudit(tx, 'contact.created', { id: contact.id, label: contactLabel(contact), after: contact })
  await emit(tx, contactCreated, contact, { account_id: contact.account_id, lead_id: contact.lead_id })
  return contact
}

export async function assertContactEmailUnused(tx: TenantTx, email: string, ownId?: string): Promise<void> {
  const emailKey = email.toLowerCase()
  await lockContactEmail(tx, emailKey)
  const existing = await findContactIdByEmail(tx, emailKey)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'A contact with this email address already exists.', { existing_id: existing })
}

/** Keeps the account name unchanged until the contact is written. */
export async function lockAccountName(tx: TenantTx, accountId: string | null | undefined): Promise<string | null> {
  if (!accountId) return null
  const account = await lockAccountShared(tx, accountId)
  if (!account) throw unknownReference('/account_id', 'account')
  return account.name
}

const noStage = {
  lifecycle_stage: null,
  mql_at: null,
  sql_at: null,
  opportunity_at: null,
  customer_at: null,
  former_customer_at: null,
}

type ContactRowInput = NewContact & { account_name: string | null }

async function toContactRow(tx: TenantTx, actor: Actor, input: ContactRowInput, services: ContactServices) {
  const { tags = [], custom = {}, lifecycle_stage = 'lead', ...fields } = input
  const now = services.clock.now()
  const derived = deriveContactColumns(fields)
  return {
    id: newId(),
    ...fields,
    ...derived,
    ...toContactStageColumns(noStage, lifecycle_stage, now),
    source: fields.source ?? defaultSourceOf(actor),
    custom: JSON.stringify(custom),
    tags,
    ...(await findRecordConsent(tx, services, { email: fields.email, phone_e164: derived.phone_e164 })),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  }
}
