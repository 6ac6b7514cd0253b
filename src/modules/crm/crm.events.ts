import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String())
const Text = Type.String()

export const leadCreated = defineEvent('lead.created', {
  resource: 'leads',
  description: 'A lead was created',
  data: strict({ source: Text, owner_id: nullable(Id) }),
})
export const leadUpdated = defineEvent('lead.updated', {
  resource: 'leads',
  description: 'A lead was updated',
  data: strict({ changed: Fields }),
})
export const leadDeleted = defineEvent('lead.deleted', {
  resource: 'leads',
  description: 'A lead was deleted',
  data: strict({}),
})
export const leadRestored = defineEvent('lead.restored', {
  resource: 'leads',
  description: 'A deleted lead was restored',
  data: strict({}),
})
export const leadAssigned = defineEvent('lead.assigned', {
  resource: 'leads',
  description: 'The owner of a lead changed',
  data: strict({ from: nullable(Id), to: nullable(Id) }),
})
export const leadStatusChanged = defineEvent('lead.status_changed', {
  resource: 'leads',
  description: 'The status of a lead changed',
  data: strict({ from: Text, to: Text, reason: nullable(Text) }),
})
export const leadStageChanged = defineEvent('lead.stage_changed', {
  resource: 'leads',
  description: 'The lifecycle stage of a lead changed',
  data: strict({ from: Text, to: Text, cause: Text, backward: Type.Boolean() }),
})
export const leadGradeChanged = defineEvent('lead.grade_changed', {
  resource: 'leads',
  description: 'The grade of a lead changed',
  data: strict({ from: Text, to: Text, score: Type.Integer() }),
})
export const leadActivityLogged = defineEvent('lead.activity_logged', {
  resource: 'leads',
  description: 'An activity was logged for a lead',
  data: strict({ activity_id: Id, type: Text, direction: Text }),
})
export const leadSlaBreached = defineEvent('lead.sla_breached', {
  resource: 'leads',
  description: 'A lead got no response within its SLA',
  data: strict({ owner_id: nullable(Id) }),
})
export const leadConverted = defineEvent('lead.converted', {
  resource: 'leads',
  description: 'A lead was converted to a contact and an account',
  data: strict({ account_id: Id, contact_id: Id, opportunity_id: nullable(Id) }),
})
export const leadMerged = defineEvent('lead.merged', {
  resource: 'leads',
  description: 'Leads were merged',
  data: strict({ merge_id: Id, merged_ids: Type.Array(Id) }),
})
export const leadMergeUndone = defineEvent('lead.merge_undone', {
  resource: 'leads',
  description: 'A lead merge was undone',
  data: strict({ merge_id: Id, restored_ids: Type.Array(Id) }),
})
export const scoringConfigChanged = defineEvent('scoring.config_changed', {
  resource: 'leads',
  description: 'The scoring configuration changed',
  data: strict({ version: Type.Integer() }),
})
export const customFieldCreated = defineEvent('custom_field.created', {
  resource: 'custom_fields',
  description: 'A custom field was created',
  data: strict({ object_type: Text, key: Text }),
})
export const customFieldUpdated = defineEvent('custom_field.updated', {
  resource: 'custom_fields',
  description: 'A custom field was updated',
  data: strict({ object_type: Text, key: Text, changed: Fields }),
})
export const customFieldDeleted = defineEvent('custom_field.deleted', {
  resource: 'custom_fields',
  description: 'A custom field was deleted',
  data: strict({ object_type: Text, key: Text, scoring_rules: Fields }),
})
export const contactCreated = defineEvent('contact.created', {
  resource: 'contacts',
  description: 'A contact was created',
  data: strict({ account_id: nullable(Id), lead_id: nullable(Id) }),
})
export const contactUpdated = defineEvent('contact.updated', {
  resource: 'contacts',
  description: 'A contact was updated',
  data: strict({ changed: Fields }),
})
export const contactDeleted = defineEvent('contact.deleted', {
  resource: 'contacts',
  description: 'A contact was deleted',
  data: strict({}),
})
export const contactRestored = defineEvent('contact.restored', {
  resource: 'contacts',
  description: 'A deleted contact was restored',
  data: strict({}),
})
export const contactStageChanged = defineEvent('contact.stage_changed', {
  resource: 'contacts',
  description: 'The lifecycle stage of a contact changed',
  data: strict({ from: Text, to: Text, cause: Text, backward: Type.Boolean() }),
})
export const contactMerged = defineEvent('contact.merged', {
  resource: 'contacts',
  description: 'Contacts were merged',
  data: strict({ merged_ids: Type.Array(Id) }),
})
export const contactActivityLogged = defineEvent('contact.activity_logged', {
  resource: 'contacts',
  description: 'An activity was logged for a contact',
  data: strict({ activity_id: Id, type: Text, direction: Text }),
})
const consentOfPerson = strict({
  channel: Text,
  status: Text,
  lead_ids: Type.Array(Id),
  contact_ids: Type.Array(Id),
})
export const personOptedOut = defineEvent('person.opted_out', {
  resource: 'leads',
  description: 'An email address or phone number was opted out',
  data: consentOfPerson,
})
export const personOptedIn = defineEvent('person.opted_in', {
  resource: 'leads',
  description: 'An email address or phone number was opted in',
  data: consentOfPerson,
})
export const accountCreated = defineEvent('account.created', {
  resource: 'accounts',
  description: 'An account was created',
  data: strict({ name: Text }),
})
export const accountUpdated = defineEvent('account.updated', {
  resource: 'accounts',
  description: 'An account was updated',
  data: strict({ changed: Fields }),
})
export const accountDeleted = defineEvent('account.deleted', {
  resource: 'accounts',
  description: 'An account was deleted',
  data: strict({}),
})
export const accountRestored = defineEvent('account.restored', {
  resource: 'accounts',
  description: 'A deleted account was restored',
  data: strict({}),
})
export const accountActivityLogged = defineEvent('account.activity_logged', {
  resource: 'accounts',
  description: 'An activity was logged for an account',
  data: strict({ activity_id: Id, type: Text, direction: Text }),
})
export const opportunityCreated = defineEvent('opportunity.created', {
  resource: 'opportunities',
  description: 'A deal was created',
  data: strict({ account_id: Id, stage_key: Text }),
})
export const opportunityUpdated = defineEvent('opportunity.updated', {
  resource: 'opportunities',
  description: 'A deal was updated',
  data: strict({ changed: Fields }),
})
export const opportunityDeleted = defineEvent('opportunity.deleted', {
  resource: 'opportunities',
  description: 'A deal was deleted',
  data: strict({}),
})
export const opportunityRestored = defineEvent('opportunity.restored', {
  resource: 'opportunities',
  description: 'A deleted deal was restored',
  data: strict({}),
})
export const opportunityStageChanged = defineEvent('opportunity.stage_changed', {
  resource: 'opportunities',
  description: 'A deal moved to another stage',
  data: strict({ from: Text, to: Text }),
})
export const opportunityWon = defineEvent('opportunity.won', {
  resource: 'opportunities',
  description: 'A deal was won',
  data: strict({ account_id: Id, amount_base_minor: Type.Integer() }),
})
export const opportunityLost = defineEvent('opportunity.lost', {
  resource: 'opportunities',
  description: 'A deal was lost',
  data: strict({ account_id: Id, lost_reason: Text }),
})
export const opportunityReopened = defineEvent('opportunity.reopened', {
  resource: 'opportunities',
  description: 'A closed deal was reopened',
  data: strict({ from: Text }),
})
export const opportunityActivityLogged = defineEvent('opportunity.activity_logged', {
  resource: 'opportunities',
  description: 'An activity was logged for a deal',
  data: strict({ activity_id: Id, type: Text, direction: Text }),
})

/** One event describes several messages of a kind, because there may be many; the subject is their batch. */
const defineEmailEvent = (fact: string, description: string) =>
  defineEvent(`email.${fact}`, {
    resource: 'leads',
    description,
    data: strict({ kind: Text, messages: Type.Array(strict({ id: Id, ref_id: Id, reason: nullable(Text) })) }),
  })
export const emailSent = defineEmailEvent('sent', 'Marketing emails were sent')
export const emailSkipped = defineEmailEvent('skipped', 'Marketing emails were not sent to their recipients')
export const emailFailed = defineEmailEvent('failed', 'Marketing emails could not be delivered')
export const emailUncertain = defineEmailEvent('uncertain', 'The delivery of marketing emails is uncertain')
export const emailBounced = defineEvent('email.bounced', {
  resource: 'leads',
  description: 'A marketing email bounced',
  data: strict({ kind: Text, ref_id: Id, bounce_type: Text }),
})
export const emailComplained = defineEvent('email.complained', {
  resource: 'leads',
  description: 'The recipient of a marketing email reported it as spam',
  data: strict({ kind: Text, ref_id: Id }),
})
export const emailReplied = defineEvent('email.replied', {
  resource: 'leads',
  description: 'The recipient of a marketing email replied',
  data: strict({ kind: Text, ref_id: Id }),
})
export const personErased = defineEvent('person.erased', {
  resource: 'leads',
  description: 'The personal data of a person was erased',
  data: strict({ subject_hash: Text, lead_ids: Type.Array(Id), contact_ids: Type.Array(Id) }),
})
