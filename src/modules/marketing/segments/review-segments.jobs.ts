import { Type } from 'typebox'
import { customFieldCreated, customFieldDeleted, customFieldUpdated } from '#events/crm'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { type Subscription, subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import {
  type FieldReference,
  listSegmentIdsUsingField,
  markSegmentsInvalid,
  reviewSegmentsUsingField,
} from './review-segments.service.ts'

const Field = strict({ object_type: Type.String(), key: Type.String() })
const reviewSegmentsJob = defineJob('marketing.review_segments', 'bulk', Field)

export const reviewSegmentsHandler = (services: Pick<Services, 'registry'>): JobHandler =>
  defineJobHandler(reviewSegmentsJob, ({ inTenant }, field: FieldReference) =>
    inTenant((tx) => reviewSegmentsUsingField(tx, field, services)),
  )

const onCustomFieldDeleted = subscribe(
  customFieldDeleted,
  'marketing.invalidate_segments',
  async (tx, { data: { object_type, key } }) => {
    const field = { object_type, key }
    if (!(await listSegmentIdsUsingField(tx, field)).length) return
    await markSegmentsInvalid(tx, field)
    await enqueue(tx, reviewSegmentsJob, field)
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

export const segmentSubscriptions: Subscription[] = [onCustomFieldDeleted, onCustomFieldChanged]
