import {
  opportunityCreated,
  opportunityDeleted,
  opportunityLost,
  opportunityReopened,
  opportunityRestored,
  opportunityUpdated,
  opportunityWon,
} from '#events/crm'
import { findDealCampaignId } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { type Subscription, subscribe } from '#platform/outbox'
import { findCampaign } from '../campaigns/campaigns.queries.ts'
import { insertAttributionMarks } from './marks.queries.ts'

const inTransaction = { inTransaction: true }
const attributedFields = ['amount', 'primary_contact_id', 'contacts', 'lead_id']

/** The column belongs to crm, which does not know campaigns. */
async function assertCampaignOfDeal(tx: TenantTx, dealId: string): Promise<void> {
  const campaignId = await findDealCampaignId(tx, dealId)
  if (campaignId && !(await findCampaign(tx, campaignId))) throw unknownReference('/campaign_id', 'campaign')
}

export const attributionSubscriptions: Subscription[] = [
  subscribe(
    [opportunityWon, opportunityLost],
    'marketing.mark_closed_deal',
    (tx, { subject }) =>
      insertAttributionMarks(tx, [{ record_type: 'opportunity', record_id: subject.id, is_closing: true }]),
    inTransaction,
  ),
  subscribe(
    opportunityCreated,
    'marketing.check_deal_campaign',
    (tx, { subject }) => assertCampaignOfDeal(tx, subject.id),
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
      if (data.changed.includes('campaign_id')) await assertCampaignOfDeal(tx, subject.id)
      if (data.changed.some((field) => attributedFields.includes(field)))
        await insertAttributionMarks(tx, [{ record_type: 'opportunity', record_id: subject.id }])
    },
    inTransaction,
  ),
]
