import { redactAuditEntries, redactAuditMentions } from '#platform/audit'
import { raiseStatementTimeout, type TenantTx } from '#platform/db'
import { redactResponsesToUser, redactStoredResponses } from '#platform/idempotency'
import type { Erasure, ErasureBatch, ErasureSubject } from '#platform/module'
import { deleteNotificationsAbout, deleteNotificationsOfUser } from '#platform/notify'
import { redactEvents } from '#platform/outbox'
import { redactTasks } from '#platform/tasks'
import { eventScanOf, identifiersOf, isUser, mentionsOf, recordIdsOf } from './erased-subject.rules.ts'

const scanSeconds = 60

async function redactAuditOfRecords(tx: TenantTx, subject: ErasureSubject): Promise<ErasureBatch> {
  if (isUser(subject))
    return { counts: { 'platform.audit_log': await redactAuditEntries(tx, 'user', [subject.user_id]) } }
  const { lead_ids, contact_ids, account_ids, opportunity_ids, names } = subject
  const own = (await redactAuditEntries(tx, 'lead', lead_ids)) + (await redactAuditEntries(tx, 'contact', contact_ids))
  let related = 0
  const scan = { mentions: [...identifiersOf(subject), ...names], resourceIds: [...account_ids, ...opportunity_ids] }
  for (let after: string | undefined, hasMore = scan.resourceIds.length > 0; hasMore; ) {
    const { redacted, next } = await redactAuditMentions(tx, { ...scan, after })
    related += redacted
    hasMore = next !== null
    after = next ?? undefined
  }
  return { counts: { 'platform.audit_log': own + related } }
}

async function redactAuditOfOthers(tx: TenantTx, subject: ErasureSubject, after?: string): Promise<ErasureBatch> {
  const mentions = mentionsOf(subject)
  if (!mentions.length) return { counts: {} }
  const { redacted, next } = await redactAuditMentions(tx, { mentions, after })
  return { counts: { 'platform.audit_log': redacted }, ...(next && { next }) }
}

export const platformErasures: readonly Erasure[] = [
  { name: 'audit_entries', requiresSystemRole: true, erase: redactAuditOfRecords },
  { name: 'audit_mentions', requiresSystemRole: true, erase: redactAuditOfOthers },
  {
    name: 'events',
    async erase(tx, subject, after) {
      await raiseStatementTimeout(tx, scanSeconds)
      const { redacted, next } = await redactEvents(tx, { ...eventScanOf(subject), after })
      return { counts: { 'platform.outbox_events': redacted }, ...(next && { next }) }
    },
  },
  {
    name: 'stored_responses',
    async erase(tx, subject) {
      await raiseStatementTimeout(tx, scanSeconds)
      const names = isUser(subject) ? [] : subject.names
      const mentions = [...recordIdsOf(subject), ...mentionsOf(subject), ...names]
      const own = isUser(subject) ? await redactResponsesToUser(tx, subject.user_id) : 0
      return { counts: { 'platform.idempotency_keys': own + (await redactStoredResponses(tx, mentions)) } }
    },
  },
  {
    name: 'notifications',
    async erase(tx, subject) {
      await raiseStatementTimeout(tx, scanSeconds)
      const deleted = isUser(subject)
        ? await deleteNotificationsOfUser(tx, subject.user_id)
        : await deleteNotificationsAbout(tx, {
            resourceIds: recordIdsOf(subject),
            mentions: [...recordIdsOf(subject), ...identifiersOf(subject)],
            names: subject.names,
          })
      return { counts: { 'platform.notifications': deleted } }
    },
  },
  {
    name: 'tasks',
    async erase(tx, subject) {
      await raiseStatementTimeout(tx, scanSeconds)
      const names = isUser(subject) ? [] : subject.names
      return { counts: { 'platform.background_tasks': await redactTasks(tx, [...mentionsOf(subject), ...names]) } }
    },
  },
]
