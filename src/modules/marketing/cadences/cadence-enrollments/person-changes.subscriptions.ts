import {
  contactDeleted,
  contactMerged,
  contactUpdated,
  leadConverted,
  leadDeleted,
  leadMerged,
  leadMergeUndone,
  leadStatusChanged,
  leadUpdated,
} from '#events/crm'
import { systemActor } from '#platform/access'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { type EventEnvelope, type Subscription, subscribe, subscribeInTransaction } from '#platform/outbox'
import { addPersons } from '../../campaigns/campaign-members/add-members.service.ts'
import { takesMembers } from '../../campaigns/campaigns/campaign-status.rules.ts'
import { findCampaign } from '../../campaigns/campaigns/campaigns.queries.ts'
import { cadenceEnrolled } from '../../marketing.events.ts'
import { findCadence } from '../cadence-records/cadences.queries.ts'
import type { ExitReason } from '../cadence-records/enrollments.queries.ts'
import { type PersonKind, toPersonLists } from './person-changes.queries.ts'
import { exitPersons, mergeEnrollments, undoEnrollmentMerge, updateAddresses } from './person-changes.service.ts'

const inTransaction = { inTransaction: true }

async function exitSubjects(
  tx: TenantTx,
  kind: PersonKind,
  events: readonly EventEnvelope[],
  reason: ExitReason,
): Promise<void> {
  const ids = events.map(({ subject }) => subject.id)
  if (!ids.length) return
  await exitPersons(tx, toPersonLists(kind, ids), reason, events[0]!.occurred_at)
}

type UpdateEvent = EventEnvelope<{ changed: string[] }>

async function updateChangedAddresses(tx: TenantTx, kind: PersonKind, events: readonly UpdateEvent[]): Promise<void> {
  const changed = events.filter(({ data }) => data.changed.includes('email'))
  const ids = changed.map(({ subject }) => subject.id)
  if (ids.length) await updateAddresses(tx, kind, ids, changed[0]!.occurred_at)
}

export const enrolledPersonSubscriptions: Subscription[] = [
  subscribeInTransaction(leadConverted, 'marketing.exit_converted_leads', (tx, events) =>
    exitSubjects(tx, 'lead', events, 'converted'),
  ),
  subscribeInTransaction(leadStatusChanged, 'marketing.exit_unqualified_leads', (tx, events) =>
    exitSubjects(
      tx,
      'lead',
      events.filter(({ data }) => data.to === 'unqualified'),
      'disqualified',
    ),
  ),
  subscribeInTransaction(leadDeleted, 'marketing.exit_deleted_leads', (tx, events) =>
    exitSubjects(tx, 'lead', events, 'deleted'),
  ),
  subscribeInTransaction(contactDeleted, 'marketing.exit_deleted_contacts', (tx, events) =>
    exitSubjects(tx, 'contact', events, 'deleted'),
  ),
  subscribeInTransaction(leadUpdated, 'marketing.enrolled_addresses_of_leads', (tx, events) =>
    updateChangedAddresses(tx, 'lead', events),
  ),
  subscribeInTransaction(contactUpdated, 'marketing.enrolled_addresses_of_contacts', (tx, events) =>
    updateChangedAddresses(tx, 'contact', events),
  ),
  subscribe(
    leadMerged,
    'marketing.merge_enrollments_of_leads',
    (tx, { subject, data, occurred_at: now }) =>
      mergeEnrollments(tx, { kind: 'lead', survivorId: subject.id, mergedIds: data.merged_ids, now }),
    inTransaction,
  ),
  subscribe(
    contactMerged,
    'marketing.merge_enrollments_of_contacts',
    (tx, { subject, data, occurred_at: now }) =>
      mergeEnrollments(tx, { kind: 'contact', survivorId: subject.id, mergedIds: data.merged_ids, now }),
    inTransaction,
  ),
  subscribe(
    leadMergeUndone,
    'marketing.undo_enrollment_merge',
    (tx, { subject, data, occurred_at: now }) =>
      undoEnrollmentMerge(tx, { survivorId: subject.id, restoredIds: data.restored_ids, now }),
    inTransaction,
  ),
]

/** Adds enrolled persons to the campaign of the cadence, after the commit because persons are locked before cadences. */
export const onPersonsEnrolled = subscribe(
  cadenceEnrolled,
  'marketing.add_enrolled_members',
  async (tx, { subject, data: { enrollments }, occurred_at, origin }) => {
    if (origin === 'sample') return
    const cadence = await findCadence(tx, subject.id)
    const campaign = cadence?.campaign_id ? await findCampaign(tx, cadence.campaign_id) : undefined
    if (!campaign || !takesMembers(campaign)) return
    await addPersons(
      tx,
      systemActor(tenantIdOf(tx)),
      campaign.id,
      {
        leadIds: enrollments.flatMap(({ lead_id }) => lead_id ?? []),
        contactIds: enrollments.flatMap(({ contact_id }) => contact_id ?? []),
      },
      { via: 'cadence', now: occurred_at },
    )
  },
)
