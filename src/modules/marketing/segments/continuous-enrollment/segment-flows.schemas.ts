import { type Static, Type } from 'typebox'
import { Id, listQuery, named, nullable, Reference, sortOrder, strict, Timestamp, withExample } from '#platform/schema'

const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40 })
const Count = Type.Integer({ minimum: 0 })
const Skipped = Type.Record(Type.String({ maxLength: 40 }), Count, {
  description: 'Number of members that were not enrolled, by reason.',
})

export const EnrollRequest = withExample(
  strict({
    target_type: { ...Name, description: 'Kind of target, such as `campaign`.' },
    target_id: Id,
    mode: Type.Optional(
      Type.Enum(['once', 'continuous'], {
        default: 'once',
        description: '`continuous` also enrolls later members, each of them once.',
      }),
    ),
    sender_id: Type.Optional({
      ...Id,
      description:
        'Only for targets that send email; campaigns do not. Under the rules of an enrollment in a cadence, which are checked at each run.',
    }),
    member_status: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Status of new members of a campaign. Default: its first status.',
      }),
    ),
  }),
  { target_type: 'campaign', target_id: '01890000-0000-7000-8000-000000000001' },
)
export type EnrollRequest = Static<typeof EnrollRequest>

export const EnrollResponse = named(
  'EnrollResponse',
  strict({
    matched: nullable(Count),
    enrolled: nullable(Count),
    skipped: nullable(Skipped),
    flow_id: nullable({ ...Id, description: 'The flow of a continuous enrollment; its first run starts at once.' }),
  }),
)
export type EnrollResponse = Static<typeof EnrollResponse>

export const SegmentFlow = named(
  'SegmentFlow',
  strict({
    id: Id,
    segment_id: Id,
    target_type: Type.String(),
    target_id: Id,
    target: nullable(Reference),
    options: strict({ sender_id: Type.Optional(Id), member_status: Type.Optional(Type.String()) }),
    is_active: Type.Boolean(),
    enrolled_count: Count,
    last_run_at: nullable(Timestamp),
    last_error: nullable(Type.String({ description: 'Why the last run enrolled no members.' })),
    created_by: nullable(Id),
    created_at: Timestamp,
  }),
)
export type SegmentFlow = Static<typeof SegmentFlow>

export const FlowQuery = listQuery({ sort: sortOrder(['created_at', '-created_at']) })
export type FlowQuery = Static<typeof FlowQuery>
export const FlowParams = strict({ segment_id: Id, flow_id: Id })
