import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import type { SuppressionReason } from '../consent/consent.rules.ts'
import { lockConsent } from '../consent/consent-locks.queries.ts'
import { applyConsentChanges } from '../consent/project-consent.service.ts'
import { emailSubject } from '../consent/subject-hashes.service.ts'
import { type SuppressionServices, tightenSuppressions } from '../consent/suppressions.service.ts'
import { listLiveEmails } from './suppressions.queries.ts'
import { defaultSource } from './suppressions.rules.ts'
import type { AddedSuppressions, NewSuppressions } from './suppressions.schemas.ts'

export async function addSuppressions(
  tx: TenantTx,
  _actor: UserActor,
  { emails = [], lead_ids = [], contact_ids = [], source = defaultSource }: NewSuppressions,
  services: SuppressionServices,
): Promise<AddedSuppressions> {
  if (!emails.length && !lead_ids.length && !contact_ids.length)
    throw invalid('body', '/emails', 'required', 'One of `emails`, `lead_ids` and `contact_ids` is required.')
  const people = [
    ...(await listLiveEmails(tx, 'lead', lead_ids)),
    ...(await listLiveEmails(tx, 'contact', contact_ids)),
  ]
  const ofPeople = people.flatMap(({ email_key }) => email_key ?? [])
  const results = [
    await suppressEmails(tx, services, ofPeople, { reason: 'manual', source }),
    await suppressEmails(tx, services, emails, { reason: 'listed', source }),
  ]
  const found = new Set(people.map(({ id }) => id))
  const added = results.reduce((sum, result) => sum + result.added, 0)
  const total = new Set([...ofPeople, ...emails.map(emailSubject)]).size
  if (added) await recordAudit(tx, 'suppression.added', { id: newId(), after: { added, source } })
  return {
    added,
    unchanged: total - added,
    without_email: people.length - ofPeople.length,
    not_found: [...new Set([...lead_ids, ...contact_ids])].filter((id) => !found.has(id)),
  }
}

type Suppressing = { reason: SuppressionReason; source: string }

/** A fixed number of statements. A job copies the opt-out to the records of the addresses. */
export async function suppressEmails(
  tx: TenantTx,
  services: SuppressionServices,
  emails: readonly string[],
  { reason, source }: Suppressing,
): Promise<{ added: number }> {
  const subjects = [...new Set(emails.map(emailSubject))]
  if (!subjects.length) return { added: 0 }
  await lockConsent(tx, subjects)
  const now = services.clock.now()
  const proof = { basis: 'none', source, at: now, now }
  const tightened = await tightenSuppressions(tx, services, { subjects, channel: 'email', reason }, proof)
  const changes = tightened.map((change) => ({ ...change, channel: 'email' as const, source }))
  await applyConsentChanges(tx, { leads: [], contacts: [], isPartial: true }, changes, now)
  return { added: tightened.length }
}
