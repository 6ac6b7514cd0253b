import type { TenantTx } from '#platform/db'
import { type Subscription, subscribe } from '#platform/outbox'
import { campaignDeleted } from '../../marketing.events.ts'
import { stopFlowsInto } from './segment-flows.service.ts'

export const stopFlowsIntoCampaign = (tx: TenantTx, id: string): Promise<void> =>
  stopFlowsInto(tx, { type: 'campaign', id, reason: 'The campaign was deleted.' })

export const onCampaignDeleted: Subscription = subscribe(
  campaignDeleted,
  'marketing.stop_flows',
  (tx, { subject }) => stopFlowsIntoCampaign(tx, subject.id),
  { inTransaction: true },
)
