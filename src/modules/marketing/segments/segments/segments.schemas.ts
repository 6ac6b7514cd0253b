import { type Static, Type } from 'typebox'
import { RuleDocument } from '#platform/rules'
import {
  clearable,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'

export const segmentTypes = ['lead', 'contact', 'account'] as const
export type SegmentType = (typeof segmentTypes)[number]

export const ObjectType = Type.Enum([...segmentTypes], { description: 'Type of the records in the segment.' })
const Kind = Type.Enum(['dynamic', 'static'], {
  description: '`dynamic`: all records that match the rules now. `static`: a list of records.',
})
const Description = Type.String({ maxLength: 2_000 })

export const SegmentProblem = strict({
  path: Type.String({ maxLength: 1_000, description: 'JSON pointer below `rules`.' }),
  code: Type.String({ maxLength: 100 }),
  message: Type.String({ maxLength: 1_000 }),
})

const segmentFields = {
  id: Id,
  object_type: ObjectType,
  name: Type.String(),
  description: nullable(Type.String()),
  kind: Kind,
  rules: nullable(RuleDocument),
  state: Type.Enum(['ok', 'invalid'], {
    description: 'A segment becomes `invalid` when its rules use something that was deleted.',
  }),
  problems: Type.Array(SegmentProblem, { maxItems: 100 }),
  owner_id: nullable(Id),
  owner: nullable(Reference),
  created_by: nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
  member_count: nullable(
    Type.Integer({
      description:
        'Members at `member_count_at`. Null if the segment was not counted since its rules changed, is invalid, or its rules use `is_me`.',
    }),
  ),
  member_count_relation: nullable(
    Type.Enum(['eq', 'gte'], { description: '`gte`: at least this many, because a full count takes too long.' }),
  ),
  member_count_at: nullable({ ...Timestamp, description: 'Time of the count.' }),
}
export const SegmentSummary = named('SegmentSummary', strict(segmentFields))
export type SegmentSummary = Static<typeof SegmentSummary>

const SegmentReference = strict({
  kind: Type.String({ description: '`field`, `segment`, `campaign` and so on.' }),
  ref: Type.String({ description: 'Key of a custom field, such as `lead.custom.region`, or the id of a record.' }),
  name: nullable(Type.String({ description: 'Name of the record or label of the field; null if it was deleted.' })),
})
export type NamedReference = Static<typeof SegmentReference>
export type SegmentReference = Omit<NamedReference, 'name'>

const SegmentUse = strict({
  type: Type.Enum(['segment', 'flow']),
  id: Id,
  name: Type.String({ description: 'Name of the segment, or of the target of the flow.' }),
  target_type: nullable(
    Type.String({ description: 'Kind of target of a flow, such as `campaign`; null for a segment.' }),
  ),
  target: nullable(Reference),
})
export type SegmentUse = Static<typeof SegmentUse>

export const Segment = named(
  'Segment',
  strict({
    ...segmentFields,
    references: Type.Array(SegmentReference, { description: 'What the rules of a dynamic segment refer to.' }),
    used_by: Type.Array(SegmentUse, { description: 'Segments and active flows that use this segment.' }),
  }),
)
export type Segment = Static<typeof Segment>

export const ChangedSegment = named(
  'ChangedSegment',
  strict({
    ...Segment.properties,
    task_id: nullable({ ...Id, description: 'Task that adds the members, if there are more than 200.' }),
  }),
)
export type ChangedSegment = Static<typeof ChangedSegment>

export const RecordIds = Type.Array(Id, { maxItems: 10_000 })

const exampleRules = { all: [{ field: 'score', op: 'gte', value: 50 }] }

export const NewSegment = withExample(
  strict({
    object_type: ObjectType,
    name: Line(150),
    description: clearable(Description),
    kind: Type.Optional(Type.Enum(['dynamic', 'static'], { default: 'dynamic' })),
    rules: Type.Optional(RuleDocument),
    record_ids: Type.Optional(RecordIds),
    owner_id: clearable(Id),
  }),
  { object_type: 'lead', name: 'Hot leads', rules: exampleRules },
)
export type NewSegment = Static<typeof NewSegment>

export const SegmentChanges = withExample(
  strict({
    name: Type.Optional(Line(150)),
    description: clearable(Description),
    kind: Type.Optional(Kind),
    rules: Type.Optional(RuleDocument),
    owner_id: clearable(Id),
  }),
  { name: 'Very hot leads' },
)
export type SegmentChanges = Static<typeof SegmentChanges>

export const SegmentQuery = listQuery({
  sort: sortOrder(['name', '-name']),
  object_type: Type.Optional(ObjectType),
  kind: Type.Optional(Kind),
  state: Type.Optional(Type.Enum(['ok', 'invalid'])),
  search: Type.Optional(Search),
})
export type SegmentQuery = Static<typeof SegmentQuery>

export const SegmentParams = strict({ segment_id: Id })
