import { type TProperties, Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String(), { examples: [['owner_id']] })
const text = (example: string) => Type.String({ examples: [example] })

export const leadCreated = defineEvent('lead.created', {
  resource: 'leads',
  description: 'A lead was created',
  data: strict({ source: text('website'), owner_id: nullable(Id) }),
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
  data: strict({ from: text('working'), to: text('unqualified'), reason: nullable(text('no_budget')) }),
})
export const leadStageChanged = defineEvent('lead.stage_changed', {
  resource: 'leads',
  description: 'The lifecycle stage of a lead changed',
  data: strict({
    from: text('lead'),
    to: text('mql'),
    cause: text('score'),
    backward: Type.Boolean({ examples: [false] }),
  }),
})
export const leadGradeChanged = defineEvent('lead.grade_changed', {
  resource: 'leads',
  description: 'The grade of a lead changed',
  data: strict({ from: text('C'), to: text('B'), score: Type.Integer({ examples: [62] }) }),
})
export const leadActivityLogged = defineEvent('lead.activity_logged', {
  resource: 'leads',
  description: 'An activity was logged for a lead',
  data: strict({ activity_id: Id, type: text('call'), direction: text('outbound') }),
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
  data: strict({ object_type: text('lead'), key: text('tier') }),
})
export const customFieldUpdated = defineEvent('custom_field.updated', {
  resource: 'custom_fields',
  description: 'A custom field was updated',
  data: strict({
    object_type: text('lead'),
    key: text('tier'),
    changed: Type.Array(Type.String(), { examples: [['label']] }),
  }),
})
export const customFieldDeleted = defineEvent('custom_field.deleted', {
  resource: 'custom_fields',
  description: 'A custom field was deleted',
  data: strict({
    object_type: text('lead'),
    key: text('tier'),
    scoring_rules: Type.Array(Type.String(), { examples: [['gold_tier']] }),
  }),
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
  data: strict({
    from: text('lead'),
    to: text('customer'),
    cause: text('deal'),
    backward: Type.Boolean({ examples: [false] }),
  }),
})
export const contactMerged = defineEvent('contact.merged', {
  resource: 'contacts',
  description: 'Contacts were merged',
  data: strict({ merged_ids: Type.Array(Id) }),
})
export const contactActivityLogged = defineEvent('contact.activity_logged', {
  resource: 'contacts',
  description: 'An activity was logged for a contact',
  data: strict({ activity_id: Id, type: text('call'), direction: text('outbound') }),
})
const consentOfPerson = (status: string) =>
  strict({
    channel: text('email'),
    status: text(status),
    lead_ids: Type.Array(Id),
    contact_ids: Type.Array(Id),
  })
export const personOptedOut = defineEvent('person.opted_out', {
  resource: 'leads',
  description: 'An email address or phone number was opted out',
  data: consentOfPerson('unsubscribed'),
})
export const personOptedIn = defineEvent('person.opted_in', {
  resource: 'leads',
  description: 'An email address or phone number was opted in',
  data: consentOfPerson('subscribed'),
})
export const accountCreated = defineEvent('account.created', {
  resource: 'accounts',
  description: 'An account was created',
  data: strict({ name: text('Acme Ltd') }),
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
  data: strict({ activity_id: Id, type: text('call'), direction: text('outbound') }),
})
export const opportunityCreated = defineEvent('opportunity.created', {
  resource: 'opportunities',
  description: 'A deal was created',
  data: strict({ account_id: Id, stage_key: text('proposal') }),
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
  data: strict({ from: text('qualification'), to: text('proposal') }),
})
export const opportunityWon = defineEvent('opportunity.won', {
  resource: 'opportunities',
  description: 'A deal was won',
  data: strict({ account_id: Id, amount_base_minor: Type.Integer({ examples: [125_000] }) }),
})
export const opportunityLost = defineEvent('opportunity.lost', {
  resource: 'opportunities',
  description: 'A deal was lost',
  data: strict({ account_id: Id, lost_reason: text('price') }),
})
export const opportunityReopened = defineEvent('opportunity.reopened', {
  resource: 'opportunities',
  description: 'A closed deal was reopened',
  data: strict({ from: text('lost') }),
})
export const opportunityActivityLogged = defineEvent('opportunity.activity_logged', {
  resource: 'opportunities',
  description: 'An activity was logged for a deal',
  data: strict({ activity_id: Id, type: text('call'), direction: text('outbound') }),
})

export const personErased = defineEvent('person.erased', {
  resource: 'leads',
  description: 'The personal data of a person was erased',
  data: strict({ subject_hash: text('5f2b0c9e41d7'), lead_ids: Type.Array(Id), contact_ids: Type.Array(Id) }),
})
export const exportCompleted = defineEvent('export.completed', {
  resource: 'leads',
  description: 'The file of an export of leads, contacts or accounts was written',
  data: strict({ object_type: text('lead'), format: text('csv'), row_count: Type.Integer({ examples: [1_200] }) }),
})

const count = (example: number) => Type.Integer({ examples: [example] })
const counts = { created: count(900), updated: count(80), skipped: count(0), failed: count(20) }
const defineImportEvent = <P extends TProperties>(fact: string, description: string, data: P) =>
  defineEvent(`import.${fact}`, {
    resource: 'leads',
    description,
    data: strict({ object_type: text('lead'), ...data }),
  })
export const importUploaded = defineImportEvent('uploaded', 'A CSV file was uploaded', { row_count: count(1_000) })
export const importStarted = defineImportEvent('started', 'An import was started', { row_count: count(1_000) })
export const importCompleted = defineImportEvent('completed', 'An import was completed', counts)
export const importCancelled = defineImportEvent('cancelled', 'An import was cancelled; its rows are kept', counts)
export const importFailed = defineImportEvent('failed', 'An import was stopped; completed rows are kept', counts)
const undoCounts = { undone: count(980), kept: count(2) }
export const importUndone = defineImportEvent('undone', 'An import was undone, except for edited records', undoCounts)
