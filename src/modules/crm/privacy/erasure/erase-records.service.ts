import type { TenantTx } from '#platform/db'
import { eraseMentions, mentionsOf, toMentionPattern } from '#platform/erasure'
import { redactStoredResponses } from '#platform/idempotency'
import type { ErasedPerson, ErasureBatch } from '#platform/module'
import { redactConsentEvents } from '../../people/consent/consent-events.queries.ts'
import { deleteProjectionsOf } from '../../people/consent/consent-projections.queries.ts'
import { deleteUploadsOf, eraseSuppressedSubjects } from '../../people/consent/suppressions.queries.ts'
import { deriveContactColumns } from '../../people/contacts/contact-values.ts'
import { deriveLeadColumns } from '../../people/lead-records/leads.rules.ts'
import { toCustomText } from '../../records/custom-values/custom-text.ts'
import type { CustomValues, ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import { replaceTags } from '../../records/fields/tags.queries.ts'
import {
  type ContactToErase,
  deleteContactDetails,
  eraseContactRows,
  lockContactsToErase,
} from './erase-contacts.queries.ts'
import {
  deleteAiResults,
  deleteLeadDetails,
  eraseLeadRows,
  type LeadToErase,
  lockLeadsToErase,
} from './erase-leads.queries.ts'
import { deleteErasedValues, type ErasedValue, updateRecordTags } from './erase-related.queries.ts'
import { customKeysToErase, erasedName } from './mentions.rules.ts'

const batchSize = 200

const nextOf = (found: readonly unknown[]) => (found.length === batchSize ? { next: 'more' } : {})

type CustomRecord = { id: string; custom: unknown }

export async function prepareCustomErasure(tx: TenantTx, objectType: ObjectType, pattern: RegExp | null) {
  const fields = await lockCustomFieldsShared(tx, objectType)
  const personalKeys = fields.filter(({ is_personal }) => is_personal).map(({ key }) => key)
  const fieldIds = new Map(fields.map(({ key, id }) => [key, id]))
  const erased: ErasedValue[] = []
  const eraseCustom = ({ id, custom: values }: CustomRecord): CustomValues => {
    const custom = values as Record<string, unknown>
    const keys = customKeysToErase(custom, personalKeys, pattern)
    for (const key of keys) if (fieldIds.has(key)) erased.push({ field_id: fieldIds.get(key)!, record_id: id })
    return Object.fromEntries(Object.entries(custom).filter(([key]) => !keys.includes(key))) as CustomValues
  }
  const toText = (custom: CustomValues) => toCustomText(fields, custom)
  const eraseCustomColumns = (record: CustomRecord) => {
    const custom = eraseCustom(record)
    return { custom, custom_text: toText(custom) }
  }
  return { personalKeys, eraseCustom, eraseCustomColumns, toText, deleteIndexed: () => deleteErasedValues(tx, erased) }
}

export async function eraseLeads(tx: TenantTx, person: ErasedPerson): Promise<ErasureBatch> {
  const pattern = toMentionPattern(mentionsOf(person))
  const custom = await prepareCustomErasure(tx, 'lead', pattern)
  const leads = await lockLeadsToErase(tx, person.lead_ids, custom.personalKeys, batchSize)
  if (leads.length)
    await eraseLeadRows(
      tx,
      leads.map((lead) => ({ ...toErasedLead(lead, pattern), ...custom.eraseCustomColumns(lead) })),
    )
  await eraseTags(tx, 'lead', leads, pattern)
  const indexed = await custom.deleteIndexed()
  const details = { ...(await deleteLeadDetails(tx, person.lead_ids)), ...(await eraseAiResults(tx, person.lead_ids)) }
  return { counts: { 'crm.leads': leads.length, ...indexed, ...details }, ...nextOf(leads) }
}

/** The stored responses have no id of the lead: that of a draft has its own id, that of an assessment has its time. */
async function eraseAiResults(tx: TenantTx, leadIds: readonly string[]): Promise<Record<string, number>> {
  const results = await deleteAiResults(tx, leadIds)
  const mentions = results.flatMap(({ id, generated_at }) => [id, ...(generated_at ? [generated_at] : [])])
  const responses = mentions.length ? await redactStoredResponses(tx, mentions) : 0
  return { 'crm.lead_ai_results': results.length, 'platform.idempotency_keys': responses }
}

type TaggedRecord = { id: string; tags: readonly string[] }

async function eraseTags(
  tx: TenantTx,
  kind: 'lead' | 'contact',
  records: readonly TaggedRecord[],
  pattern: RegExp | null,
): Promise<void> {
  for (const { id, tags } of records) {
    const kept = tags.filter((tag) => eraseMentions(tag, pattern) === tag)
    if (kept.length === tags.length) continue
    await updateRecordTags(tx, kind, id, kept)
    await replaceTags(tx, kind, id, kept)
  }
}

/** A domain without a company comes from the email address. */
function toErasedLead({ id, company: name, company_domain }: LeadToErase, pattern: RegExp | null) {
  const company = eraseMentions(name, pattern)
  const { name_key, company_key, search_text } = deriveLeadColumns({ ...erasedName, company })
  return { id, name_key, company_key, search_text, company, company_domain: company && company_domain }
}

export async function eraseContacts(tx: TenantTx, person: ErasedPerson): Promise<ErasureBatch> {
  const pattern = toMentionPattern(mentionsOf(person))
  const custom = await prepareCustomErasure(tx, 'contact', pattern)
  const contacts = await lockContactsToErase(tx, person.contact_ids, custom.personalKeys, batchSize)
  const toErased = (contact: ContactToErase) => {
    const { name_key, search_text } = deriveContactColumns({ ...erasedName, account_name: contact.account_name })
    return { id: contact.id, name_key, search_text, ...custom.eraseCustomColumns(contact) }
  }
  if (contacts.length) await eraseContactRows(tx, contacts.map(toErased))
  await eraseTags(tx, 'contact', contacts, pattern)
  const indexed = await custom.deleteIndexed()
  const details = await deleteContactDetails(tx, person.contact_ids)
  return { counts: { 'crm.contacts': contacts.length, ...indexed, ...details }, ...nextOf(contacts) }
}

export async function eraseConsentTexts(
  tx: TenantTx,
  { subject_hashes, lead_ids, contact_ids, email_keys, phones }: ErasedPerson,
): Promise<ErasureBatch> {
  const redacted = await redactConsentEvents(tx, subject_hashes, [...lead_ids, ...contact_ids])
  const deleted = await deleteProjectionsOf(tx, [...email_keys, ...phones])
  const counts = {
    'crm.consent_events': redacted,
    'crm.consent_projections': deleted,
    'crm.suppressions': await eraseSuppressedSubjects(tx, subject_hashes),
    'crm.suppression_uploads': await deleteUploadsOf(tx, email_keys),
  }
  return { counts }
}
