import { type Static, Type } from 'typebox'
import { RuleDocument } from '#platform/rules'
import { named, nullable, strict, withExample } from '#platform/schema'
import { SegmentRecord } from '../segment-members/segment-members.schemas.ts'
import { ObjectType } from '../segments/segments.schemas.ts'

const Relation = Type.Enum(['eq', 'gte'], { description: '`gte`: at least this many.' })

export const PreviewRequest = withExample(
  strict({
    object_type: ObjectType,
    rules: RuleDocument,
    sample_size: Type.Integer({ minimum: 0, maximum: 50, default: 10 }),
    breakdown: Type.Boolean({ default: false, description: 'Also count each condition of the top level.' }),
    count: Type.Enum(['capped', 'exact'], {
      default: 'capped',
      description: 'Count up to 10,000 records (`capped`) or all of them (`exact`).',
    }),
  }),
  { object_type: 'lead', rules: { field: 'score', op: 'gte', value: 50 } },
)
export type PreviewRequest = Static<typeof PreviewRequest>

export const SegmentPreview = named(
  'SegmentPreview',
  strict({
    count: Type.Integer(),
    count_relation: Relation,
    sample: Type.Array(SegmentRecord, { maxItems: 50, description: 'Matching records, newest first.' }),
    breakdown: nullable(
      Type.Array(
        strict({
          path: Type.String({ maxLength: 100, description: 'JSON pointer below `rules`.' }),
          count: Type.Integer(),
          count_relation: Relation,
        }),
        { maxItems: 50 },
      ),
    ),
    duration_ms: Type.Integer(),
    warnings: Type.Array(Type.Enum(['contains_scan', 'time_limit']), {
      description:
        '`contains_scan`: a condition on a part of a text reads many records. `time_limit`: the count was too slow; `count` is a ' +
        'lower bound from the newest records.',
    }),
  }),
)
export type SegmentPreview = Static<typeof SegmentPreview>
