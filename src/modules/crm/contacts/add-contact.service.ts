import type { Actor } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { holdAccount } from '../accounts/accounts.queries.ts'
import { givenFields, mergeCustom } from '../changes/real-changes.rules.ts'
import { contactCreated } from '../crm.events.ts'
import { assertAssignable } from '../leads/assignment.service.ts'
import { assertKnownPlace } from '../leads/lead-values.ts'
import { noteStage } from '../persons/life-cycle.queries.ts'
import { noteProvenance, type Provenance, provenanceOf, sourceOf } from '../persons/provenance.queries.ts'
import { callStatusFor, emailStatusFor } from '../persons/suppressions.service.ts'
import { storeTags } from '../persons/tags.queries.ts'
import { stageColumns } from './contact-stage.rules.ts'
import { assertSomebody, derivedFrom, labelOf } from './contact-values.ts'
import { type ContactRow, findContactIdByEmail, holdContactAddress, insertContact } from './contacts.queries.ts'
import type { NewContact } from './contacts.schemas.ts'

export type ContactServices = Pick<Services, 'clock' | 'secrets'>

type Origin = { lead_id?: string; provenance?: Provenance }

/** Adds somebody we know. An address belongs to one live contact. */
export async function addContact(
  tx: TenantTx,
  actor: Actor,
  input: NewContact,
  services: ContactServices,
  { lead_id, provenance = provenanceOf(actor) }: Origin = {},
): Promise<ContactRow> {
  assertSomebody(input)
  assertKnownPlace(input)
  if (input.email) await assertAddressIsFree(tx, input.email)
  await assertAssignable(tx, input.owner_id)
  const account_name = await nameOfAccount(tx, input.account_id)

  const now = services.clock.now()
  const contact = await insertContact(tx, {
    ...(await newRow(tx, actor, { ...input, account_name }, services)),
    lead_id,
  })
  if (contact.tags.length) await storeTags(tx, 'contact', contact.id, contact.tags)
  await noteProvenance(tx, 'contact', contact.id, givenFields(input), { source: provenance, at: now })
  await noteStage(tx, { contact_id: contact.id, from: null, to: contact.lifecycle_stage, now })
  await record(tx, 'contact.created', { id: contact.id, label: labelOf(contact), after: contact })
  await emit(tx, contactCreated, contact, { account_id: contact.account_id, lead_id: contact.lead_id })
  return contact
}

/** Of two who come with the same address at once, the second one waits and finds the first. */
export async function assertAddressIsFree(tx: TenantTx, email: string, ownId?: string): Promise<void> {
  const emailKey = email.toLowerCase()
  await holdContactAddress(tx, emailKey)
  const existing = await findContactIdByEmail(tx, emailKey)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'There is a contact with this e-mail address already.', { existing_id: existing })
}

/** The account somebody is said to work at keeps its name until that is written. */
export async function nameOfAccount(tx: TenantTx, accountId: string | null | undefined): Promise<string | null> {
  if (!accountId) return null
  const account = await holdAccount(tx, accountId)
  if (!account) throw unknownReference('/account_id', 'account')
  return account.name
}

const fresh = {
  lifecycle_stage: null,
  mql_at: null,
  sql_at: null,
  opportunity_at: null,
  customer_at: null,
  former_customer_at: null,
}

type Complete = NewContact & { account_name: string | null }

async function newRow(tx: TenantTx, actor: Actor, input: Complete, services: ContactServices) {
  const { tags = [], custom = {}, lifecycle_stage = 'lead', ...said } = input
  const now = services.clock.now()
  const derived = derivedFrom(said)
  return {
    id: newId(),
    ...said,
    ...derived,
    ...stageColumns(fresh, lifecycle_stage, now),
    source: said.source ?? sourceOf(actor),
    custom: JSON.stringify(mergeCustom({}, custom)),
    tags,
    email_status: await emailStatusFor(tx, services, said.email ?? null),
    call_status: await callStatusFor(tx, services, derived.phone_e164),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  }
}
