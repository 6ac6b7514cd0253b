import { Type } from 'typebox'
import { customFieldCreated, customFieldDeleted, customFieldUpdated } from '#events/crm'
import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { type Subscription, subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { campaignDeleted } from '../../marketing.events.ts'
import {
  type FieldReference,
  listSegmentIdsUsingField,
  markSegmentsInvalid,
  reviewSegmentsUsing,
  toFieldReference,
} from './review-segments.service.ts'

const Field = strict({ object_type: Type.String(), key: Type.String() })
const reviewSegmentsJob = defineJob('marketing.review_segments', 'bulk', Field)
const reviewCampaignSegmentsJob = defineJob('marketing.review_campaign_segments', 'bulk', strict({ campaign_id: Id }))

export const reviewSegmentsHandler = (services: Pick<Services, 'registry'>): JobHandler =>
  defineJobHandler(reviewSegmentsJob, ({ inTenant }, field: FieldReference) =>
    inTenant((tx) => reviewSegmentsUsing(tx, toFieldReference(field), services)),
  )

export const reviewCampaignSegmentsHandler = (services: Pick<Services, 'registry'>): JobHandler =>
  defineJobHandler(reviewCampaignSegmentsJob, ({ inTenant }, { campaign_id: ref }) =>
    inTenant((tx) => reviewSegmentsUsing(tx, { kind: 'campaign', ref }, services)),
  )

const onCustomFieldDeleted = subscribe(
  customFieldDeleted,
  'marketing.invalidate_segments',
  async (tx, { data: { object_type, key } }) => {
    const field = { object_type, key }
    if (await markSegmentsInvalid(tx, toFieldReference(field))) await enqueue(tx, reviewSegmentsJob, field)
  },
  { inTransaction: true },
)

const onCustomFieldChanged = subscribe(
  [customFieldCreated, customFieldUpdated],
  'marketing.review_segments',
  async (tx, { data: { object_type, key } }) => {
    const field = { object_type, key }
    if ((await listSegmentIdsUsingField(tx, field)).length) await enqueue(tx, reviewSegmentsJob, field)
  },
)

/** Marks the segments whose rules name the campaign; those that use them follow in a job. */
export async function invalidateSegmentsOfCampaign(tx: TenantTx, campaignId: string): Promise<void> {
  if (await markSegmentsInvalid(tx, { kind: 'campaign', ref: campaignId }))
    await enqueue(tx, reviewCampaignSegmentsJob, { campaign_id: campaignId })
}

const onCampaignDeleted = subscribe(
  campaignDeleted,
  'marketing.invalidate_campaign_segments',
  (tx, { subject }) => invalidateSegmentsOfCampaign(tx, subject.id),
  { inTransaction: true },
)

export const segmentSubscriptions: Subscription[] = [onCustomFieldDeleted, onCustomFieldChanged, onCampaignDeleted]
