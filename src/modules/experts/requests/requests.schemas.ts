import { type Static, Type } from 'typebox'
import {
  enumList,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { Topic } from '../records/experts.schemas.ts'

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

export const requestStatuses = ['open', 'assigned', 'in_progress', 'answered', 'closed', 'cancelled'] as const
export type RequestStatus = (typeof requestStatuses)[number]

export const eventKinds = [
  'created',
  'assigned',
  'unassigned',
  'accepted',
  'declined',
  'answered',
  'closed',
  'reopened',
  'cancelled',
  'breached',
] as const
export type EventKind = (typeof eventKinds)[number]

const RequestEvent = strict({
  kind: Type.Enum([...eventKinds]),
  actor: nullable({ ...Reference, description: 'Null for a schedule.' }),
  expert: nullable({ ...Reference, description: 'The user to whom the request was assigned.' }),
  note: nullable(Type.String()),
  from_status: nullable(Type.String()),
  to_status: nullable(Type.String()),
  created_at: Timestamp,
})

export const ExpertRequest = named(
  'ExpertRequest',
  strict({
    id: Id,
    requester_id: Id,
    requester: nullable(Reference),
    topic: Type.String(),
    subject: Type.String(),
    body: Type.String(),
    priority: Type.Enum([...priorities]),
    account_id: nullable(Id),
    opportunity_id: nullable(Id),
    content_item_ids: Type.Array(Id),
    expert_id: nullable({ ...Id, description: 'Null if no expert is assigned, or the expert was deleted.' }),
    expert: nullable({ ...Reference, description: 'The user who is the expert.' }),
    is_direct: Type.Boolean({ description: 'Sent to one expert on purpose.' }),
    status: Type.Enum([...requestStatuses]),
    due_at: {
      ...Timestamp,
      description:
        'When the first response is due, and the answer of an accepted request. The clock stops at weekends, and starts again when a request is reopened or given to another expert after its first response.',
    },
    first_response_at: nullable(Timestamp),
    answered_at: nullable(Timestamp),
    closed_at: nullable(Timestamp),
    answer: nullable(Type.String()),
    answer_content_item_ids: Type.Array(Id),
    rating: nullable(Type.Integer()),
    rating_comment: nullable(Type.String()),
    sla_breached_at: nullable(Timestamp),
    reopen_count: Type.Integer({ minimum: 0 }),
    events: Type.Array(RequestEvent, { description: 'The last 50 events, the oldest first.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type ExpertRequest = Static<typeof ExpertRequest>

const ContentIds = Type.Array(Id, { maxItems: 10, uniqueItems: true })
const PriorityField = Type.Enum([...priorities], {
  description: 'A first response is due after 4 (`urgent`), 8, 24 or 72 hours (`low`) on working days.',
})

export const NewExpertRequest = withExample(
  strict({
    topic: Topic,
    subject: Line(150),
    body: Line(8_000),
    priority: Type.Optional(PriorityField),
    account_id: Type.Optional(Id),
    opportunity_id: Type.Optional(Id),
    content_item_ids: Type.Optional(ContentIds),
    expert_id: Type.Optional({ ...Id, description: 'An active expert. By default, an expert on the topic is chosen.' }),
  }),
  { topic: 'pricing', subject: 'Discount for three years', body: 'Which discount can we offer for three years?' },
)
export type NewExpertRequest = Static<typeof NewExpertRequest>

export const ExpertRequestChanges = strict({
  status: Type.Optional(Type.Enum(['in_progress', 'answered', 'closed', 'cancelled'])),
  decline: Type.Optional(Type.Literal(true, { description: 'Gives the request to another expert. Requires `note`.' })),
  note: Type.Optional({ ...Line(2_000), description: 'Required to decline and to reopen.' }),
  answer: Type.Optional({ ...Line(20_000), description: 'Required with the status `answered`.' }),
  answer_content_item_ids: Type.Optional(ContentIds),
  rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  rating_comment: Type.Optional(nullable(Type.String({ maxLength: 1_000 }))),
  priority: Type.Optional(PriorityField),
  expert_id: Type.Optional({ ...Id, description: 'Assigns the request to this expert, for managers and admins.' }),
})
export type ExpertRequestChanges = Static<typeof ExpertRequestChanges>

export const ExpertRequestQuery = listQuery({
  sort: sortOrder(['due_at', '-due_at'], '`due_at`: unanswered requests by due time, then the others, newest first.'),
  status: Type.Optional(enumList([...requestStatuses])),
  my_requests: Type.Optional(Type.Boolean({ description: 'Requests of the caller.' })),
  my_incoming: Type.Optional(
    Type.Boolean({ description: 'Requests that are assigned to the caller. With `my_requests`, both are listed.' }),
  ),
  breached: Type.Optional(Type.Boolean({ description: 'Whether the first response was late.' })),
  topic: Type.Optional(Topic),
})
export type ExpertRequestQuery = Static<typeof ExpertRequestQuery>

export const ExpertRequestParams = strict({ request_id: Id })
