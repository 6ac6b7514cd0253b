import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { emailStatusFor, type SuppressionReason } from '../consent/consent.rules.ts'
import { lockConsent } from '../consent/consent-locks.queries.ts'
import { emailSubject, findSubjectHashes } from '../consent/find-consent.service.ts'
import { applyConsentChanges } from '../consent/project-consent.service.ts'
import { storeConsentChanges } from '../consent/store-consent.service.ts'
import type { SuppressionServices } from '../consent/suppressions.service.ts'
import { findSuppression, listSuppressionRows } from './suppressions.queries.ts'
import { assertRemovable } from './suppressions.rules.ts'
import type { SuppressionQuery } from './suppressions.schemas.ts'

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
