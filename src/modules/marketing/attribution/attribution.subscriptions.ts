import {
  opportunityCreated,
  opportunityDeleted,
  opportunityLost,
  opportunityReopened,
  opportunityRestored,
  opportunityUpdated,
  opportunityWon,
} from '#events/crm'
import { type Subscription, subscribe } from '#platform/outbox'
import { insertAttributionMarks } from './marks.queries.ts'

const inTransaction = { inTransaction: true }
const attributedFields = ['amount', 'primary_contact_id', 'contacts', 'lead_id']

export const attributionSubscriptions: Subscription[] = [
  subscribe(
    [opportunityWon, opportunityLost],
    'marketing.mark_closed_deal',
    (tx, { subject }) =>
      insertAttributionMarks(tx, [{ record_type: 'opportunity', record_id: subject.id, is_closing: true }]),
    inTransaction,
  ),
  subscribe(
    [opportunityCreated, opportunityReopened, opportunityDeleted, opportunityRestored],
    'marketing.mark_deal',
    (tx, { subject }) => insertAttributionMarks(tx, [{ record_type: 'opportunity', record_id: subject.id }]),
    inTransaction,
  ),
  subscribe(
    opportunityUpdated,
    'marketing.mark_updated_deal',
    async (tx, { subject, data }) => {
      if (data.changed.some((field) => attributedFields.includes(field)))
        await insertAttributionMarks(tx, [{ record_type: 'opportunity', record_id: subject.id }])
    },
    inTransaction,
  ),
]
