import { listAuditedIdsMentioning, redactAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { eraseMentions, mentionsOf, scanForMentions, toMentionPattern } from '#platform/erasure'
import type { ErasedPerson, ErasureBatch } from '#platform/module'
import {
  eraseOwnActivities,
  listOwnActivityIds,
  lockActivityTexts,
  updateActivityTexts,
} from './erase-activities.queries.ts'

const batchSize = 500

export async function redactOwnActivityAudit(
  tx: TenantTx,
  person: ErasedPerson,
  after?: string,
): Promise<ErasureBatch> {
  const ids = await listOwnActivityIds(tx, person, { after, limit: batchSize })
  const redacted = await redactAuditEntries(tx, 'activity', ids)
  return { counts: { 'platform.audit_log': redacted }, ...(ids.length === batchSize && { next: ids.at(-1)! }) }
}

/** Finds deleted activities too: the entry of their creation or deletion contains the id of the lead or contact. */
export async function redactMentioningActivityAudit(
  tx: TenantTx,
  person: ErasedPerson,
  after?: string,
): Promise<ErasureBatch> {
  const mentions = [...person.lead_ids, ...person.contact_ids, ...person.email_keys, ...person.phones]
  const { ids, next } = await listAuditedIdsMentioning(tx, 'activity', { mentions, after })
  return { counts: { 'platform.audit_log': await redactAuditEntries(tx, 'activity', ids) }, ...(next && { next }) }
}

export async function eraseActivities(tx: TenantTx, person: ErasedPerson): Promise<ErasureBatch> {
  const erased = await eraseOwnActivities(tx, person, { mentions: mentionsOf(person), limit: batchSize })
  return { counts: { 'crm.activities': erased }, ...(erased === batchSize && { next: 'more' }) }
}

const activityTexts = ['subject', 'body', 'meta', 'external_id']

export async function eraseMentioningActivities(
  tx: TenantTx,
  person: ErasedPerson,
  after?: string,
): Promise<ErasureBatch> {
  const mentions = mentionsOf(person)
  const { ids, next } = await scanForMentions(tx, { table: 'crm.activities', columns: activityTexts, mentions, after })
  const more = next === null ? {} : { next }
  if (!ids.length) return { counts: {}, ...more }
  const found = await lockActivityTexts(tx, ids)
  const pattern = toMentionPattern(mentions)
  const erased = found.map(({ id, subject, body }) => ({
    id,
    subject: eraseMentions(subject, pattern),
    body: eraseMentions(body, pattern),
  }))
  const redacted = await redactAuditEntries(
    tx,
    'activity',
    found.map(({ id }) => id),
  )
  await updateActivityTexts(tx, erased)
  const counts = { 'crm.activities': found.length, 'platform.audit_log': redacted }
  return { counts, ...more }
}
