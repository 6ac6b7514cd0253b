import { type SampleData, type Services, sampleLoader } from '#platform/module'
import { refreshSegmentCount } from '../segments/segment-counts/segment-counts.jobs.ts'
import { createSegment } from '../segments/segments/create-segment.service.ts'
import { deleteSampleSegments } from '../segments/segments/sample-segments.service.ts'
import { findSegmentIdByName } from '../segments/segments/segments.queries.ts'
import type { NewSegment } from '../segments/segments/segments.schemas.ts'

type SampleSegment = NewSegment & { key: string; author: string }

export const sampleSegments: readonly SampleSegment[] = [
  {
    key: 'segment:1',
    author: 'user:2',
    object_type: 'lead',
    name: 'Qualified leads without reply',
    description: 'Qualified, but no reply to an email within 30 days. Call them.',
    rules: {
      all: [
        { field: 'status', op: 'eq', value: 'qualified' },
        { not: { fact: 'activity', types: ['email_replied'], within_days: 30 } },
      ],
    },
  },
  {
    key: 'segment:2',
    author: sampleLoader,
    object_type: 'lead',
    name: 'Hot leads of this week',
    description: 'Grade A, active within the last seven days.',
    rules: {
      all: [
        { field: 'grade', op: 'eq', value: 'A' },
        { field: 'last_activity_at', op: 'in_last_days', value: 7 },
      ],
    },
  },
  {
    key: 'segment:3',
    author: 'user:3',
    object_type: 'lead',
    name: 'Leads without a response',
    description: 'Came within the last two days. Contact them today.',
    rules: {
      all: [
        { field: 'first_responded_at', op: 'is_not_set' },
        { field: 'created_at', op: 'in_last_days', value: 2 },
      ],
    },
  },
  {
    key: 'segment:4',
    author: 'user:4',
    object_type: 'contact',
    name: 'Contacts with an open deal',
    description: 'For product news before the decision.',
    rules: { fact: 'opportunity', kinds: ['open'] },
  },
  {
    key: 'segment:5',
    author: 'user:4',
    object_type: 'account',
    name: 'Customers without activity',
    description: 'Won at least one deal, and no call, email or meeting within 90 days.',
    rules: {
      all: [
        { fact: 'opportunity', kinds: ['won'] },
        { not: { fact: 'activity', types: ['call', 'email', 'meeting'], within_days: 90 } },
      ],
    },
  },
  {
    key: 'segment:6',
    author: sampleLoader,
    object_type: 'contact',
    kind: 'static',
    name: 'Invitations to the customer day',
    description: 'Contacts of won deals, as of the day of the list.',
    rules: { fact: 'opportunity', kinds: ['won'] },
  },
]

export const segmentSample = (services: Pick<Services, 'registry'>): SampleData => ({
  name: 'segments',
  plan: ({ now }) =>
    sampleSegments.map(({ key, author, ...segment }) => ({
      author,
      async run(tx, actor) {
        const isTaken = (await findSegmentIdByName(tx, segment.object_type, segment.name)) !== undefined
        const input = { ...segment, name: isTaken ? `${segment.name} (sample)` : segment.name }
        const context = { ...services, clock: { now: () => now } }
        const { id } = await createSegment(tx, actor, input, context)
        await refreshSegmentCount(tx, id, context)
        return [{ key, resource_type: 'segment', id }]
      },
    })),
  async remove({ inTenant }, records) {
    const ids = records.filter(({ resource_type }) => resource_type === 'segment').map(({ id }) => id)
    const kept = await inTenant((tx) => deleteSampleSegments(tx, ids))
    return kept.map((id) => ({ resource_type: 'segment', id }))
  },
})
