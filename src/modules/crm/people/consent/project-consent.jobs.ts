import type { TenantTx } from '#platform/db'
import { defineJobHandler, type JobHandler } from '#platform/jobs'
import { lockLeads } from '../lead-records/leads.queries.ts'
import { noConsent, outdatedEmailStatuses, type SubjectConsent, statusOf } from './consent.rules.ts'
import { lockConsentShared } from './consent-events.queries.ts'
import { projectConsentJob } from './consent-projection-job.ts'
import {
  type ConsentProjection,
  deleteProjections,
  findOutdatedIds,
  listProjections,
  type OutdatedValues,
} from './consent-projections.queries.ts'
import { findSubjectConsents } from './find-consent.service.ts'
import { lockPersonContacts } from './person-records.queries.ts'
import { type ConsentChange, projectConsent } from './project-consent.service.ts'
import type { SuppressionServices } from './suppressions.service.ts'

const subjectsPerBatch = 200
const recordsPerBatch = 500

export const projectConsentHandler = (services: SuppressionServices): JobHandler =>
  defineJobHandler(projectConsentJob, async ({ inTenant, signal }) => {
    do signal.throwIfAborted()
    while (await inTenant((tx) => projectConsentBatch(tx, services)))
  })

/** Returns whether there may be more. Senders do not wait for it, because they read the consent of the address. */
export async function projectConsentBatch(tx: TenantTx, services: SuppressionServices): Promise<boolean> {
  const projections = await listProjections(tx, subjectsPerBatch)
  if (!projections.length) return false
  const subjects = [...new Set(projections.map(({ subject }) => subject))]
  const seen = toChanges(projections, await findSubjectConsents(tx, services, subjects))
  const found = await findOutdatedIds(tx, toOutdatedValues(seen), recordsPerBatch)
  const [leads, contacts] = [await lockLeads(tx, found.leads), await lockPersonContacts(tx, found.contacts)]
  await lockConsentShared(tx, subjects)
  const changes = toChanges(projections, await findSubjectConsents(tx, services, subjects))
  await projectConsent(tx, { leads, contacts }, changes, services.clock.now())
  const isComplete =
    Math.max(found.leads.length, found.contacts.length) < recordsPerBatch &&
    changes.every(({ to }, index) => to === seen[index]!.to)
  if (isComplete) await deleteProjections(tx, projections)
  return !isComplete || projections.length === subjectsPerBatch
}

function toChanges(
  projections: readonly ConsentProjection[],
  consents: ReadonlyMap<string, SubjectConsent>,
): ConsentChange[] {
  return projections.map(({ subject, channel, strictest_status }) => {
    const consent = consents.get(subject) ?? noConsent
    const source = consent.latest[channel]?.source ?? 'unknown'
    return { channel, subject, hash: null, from: strictest_status, to: statusOf(channel, consent), source }
  })
}

function toOutdatedValues(changes: readonly ConsentChange[]): OutdatedValues {
  const ofChannel = (channel: string) => changes.filter((change) => change.channel === channel)
  return {
    emails: ofChannel('email').flatMap((change) =>
      outdatedEmailStatuses(change).map((status) => ({ subject: change.subject!, status })),
    ),
    phones: ofChannel('phone').map(({ subject, to }) => ({
      subject: subject!,
      status: to === 'allowed' ? 'do_not_call' : 'allowed',
    })),
    restrictions: ofChannel('processing').map(({ subject, to }) => ({
      subject: subject!,
      is_restricted: to !== 'restricted',
    })),
  }
}
