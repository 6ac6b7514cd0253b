import {
  contactDeleted,
  contactMerged,
  contactRestored,
  leadConverted,
  leadDeleted,
  leadMerged,
  leadMergeUndone,
  leadRestored,
  leadStageChanged,
} from '#events/crm'
import type { DomainEvent, EventEnvelope, Subscription } from '#platform/outbox'
import { subscribe, subscribeInTransaction } from '#platform/outbox'
import { setMembersHidden } from './merge-members.queries.ts'
import {
  linkConvertedLead,
  mergeMembersOfContacts,
  mergeMembersOfLeads,
  undoMergeOfLeads,
  updateMilestones,
} from './person-changes.service.ts'

const subjectIds = (events: readonly EventEnvelope[]) => events.map(({ subject }) => subject.id)

const hideOn = (event: DomainEvent, consumer: string, kind: 'lead' | 'contact', isHidden: boolean): Subscription =>
  subscribeInTransaction(event, `marketing.${consumer}`, (tx, events) => {
    const ids = subjectIds(events)
    return setMembersHidden(
      tx,
      { leadIds: kind === 'lead' ? ids : [], contactIds: kind === 'contact' ? ids : [] },
      isHidden,
    )
  })

const inTransaction = { inTransaction: true }

export const personChangeSubscriptions: Subscription[] = [
  hideOn(leadDeleted, 'hide_members_of_leads', 'lead', true),
  hideOn(leadRestored, 'show_members_of_leads', 'lead', false),
  hideOn(contactDeleted, 'hide_members_of_contacts', 'contact', true),
  hideOn(contactRestored, 'show_members_of_contacts', 'contact', false),
  subscribeInTransaction(leadStageChanged, 'marketing.member_milestones', (tx, events) =>
    updateMilestones(tx, subjectIds(events)),
  ),
  subscribe(
    leadConverted,
    'marketing.link_members',
    async (tx, { subject, data }) => {
      await linkConvertedLead(tx, subject.id, data.contact_id)
      await updateMilestones(tx, [subject.id])
    },
    inTransaction,
  ),
  subscribe(
    leadMerged,
    'marketing.merge_members_of_leads',
    (tx, { subject, data }) => mergeMembersOfLeads(tx, subject.id, data.merged_ids),
    inTransaction,
  ),
  subscribe(
    leadMergeUndone,
    'marketing.undo_member_merge',
    (tx, { subject, data }) => undoMergeOfLeads(tx, subject.id, data.restored_ids),
    inTransaction,
  ),
  subscribe(
    contactMerged,
    'marketing.merge_members_of_contacts',
    (tx, { subject, data }) => mergeMembersOfContacts(tx, subject.id, data.merged_ids),
    inTransaction,
  ),
]
