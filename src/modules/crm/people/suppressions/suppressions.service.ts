import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import { emailStatusFor, type SuppressionReason } from '../consent/consent.rules.ts'
import { lockConsent } from '../consent/consent-events.queries.ts'
import { emailSubject, findSubjectHashes } from '../consent/find-consent.service.ts'
import { lockPersonContacts } from '../consent/person-records.queries.ts'
import { applyConsentChanges } from '../consent/project-consent.service.ts'
import { recordOptOuts } from '../consent/record-opt-out.service.ts'
import { storeConsentChanges } from '../consent/store-consent.service.ts'
import type { SuppressionServices } from '../consent/suppressions.service.ts'
import { findSuppression, listSuppressionRows } from './suppressions.queries.ts'
import { assertRemovable, defaultOptOutSource, defaultSource, toContactOutcome } from './suppressions.rules.ts'
import type {
  AddedSuppressions,
  ContactOptOuts,
  NewSuppressions,
  OptedOutContacts,
  SuppressionQuery,
} from './suppressions.schemas.ts'

/** Finds an address by its hash, which older entries and those of erased persons have too. */
export async function listSuppressions(
  tx: TenantTx,
  { search, ...filter }: SuppressionQuery,
  services: SuppressionServices,
) {
  if (search === undefined) return await listSuppressionRows(tx, filter)
  const subject = emailSubject(search.trim())
  const subjectHash = (await findSubjectHashes(tx, services, [subject])).get(subject) ?? Buffer.alloc(0)
  return await listSuppressionRows(tx, { ...filter, subjectHash })
}

export async function deleteSuppression(tx: TenantTx, id: string, services: SuppressionServices): Promise<void> {
  const seen = await findSuppression(tx, id)
  if (!seen) throw notFound('suppression')
  assertRemovable(seen)
  await lockConsent(tx, [seen.subject!])
  const current = await findSuppression(tx, id)
  if (!current) throw notFound('suppression')
  assertRemovable(current)
  const { subject, subject_hash: hash, reason } = current
  const now = services.clock.now()
  const source = 'removed from the suppression list'
  const from = emailStatusFor(reason as SuppressionReason)
  const changes = [{ channel: 'email' as const, subject, hash, from, to: 'unknown', source }]
  await storeConsentChanges(tx, changes, { basis: 'none', source, at: now, now })
  await applyConsentChanges(tx, { leads: [], contacts: [], isPartial: true }, changes, now)
  await recordAudit(tx, 'suppression.deleted', { id, before: { reason } })
}

export async function addSuppressions(
  tx: TenantTx,
  { emails, source = defaultSource }: NewSuppressions,
  services: SuppressionServices,
): Promise<AddedSuppressions> {
  const { size: added } = await recordOptOuts(tx, services, { emails, reason: 'listed', source })
  const total = new Set(emails.map(emailSubject)).size
  if (added) await recordAudit(tx, 'suppression.added', { id: newId(), after: { added, source } })
  return { added, unchanged: total - added }
}

export async function optOutContacts(
  tx: TenantTx,
  { contact_ids, source = defaultOptOutSource }: ContactOptOuts,
  services: SuppressionServices,
): Promise<OptedOutContacts> {
  const ids = [...new Set(contact_ids)]
  const contacts = await lockPersonContacts(tx, ids)
  const emails = contacts.flatMap(({ email_key }) => email_key ?? [])
  const optedOut = await recordOptOuts(tx, services, { emails, reason: 'manual', source }, { leads: [], contacts })
  const byId = new Map(contacts.map((contact) => [contact.id, contact]))
  const results = ids.map((id) => toContactOutcome(id, byId.get(id), optedOut))
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
  return {
    total: ids.length,
    succeeded: count('ok'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    results,
  }
}
