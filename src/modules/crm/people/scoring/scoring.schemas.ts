import { type Static, Type } from 'typebox'
import { RuleDocument } from '#platform/rules'
import { AcceptedTask, Id, Line, named, nullable, strict, Timestamp, withExample } from '#platform/schema'
import { ScoreReason } from '../lead-records/leads.schemas.ts'
import { signals } from './signals.rules.ts'

const Key = Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$', minLength: 1, maxLength: 50 })
const Points = Type.Integer({ minimum: -100, maximum: 100 })
const Percent = Type.Integer({ minimum: 0, maximum: 100 })
const Threshold = Type.Integer({ minimum: 1, maximum: 100 })
const Weight = Type.Number({ minimum: 0, maximum: 1 })

const GroupCaps = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' }), Percent, {
  maxProperties: 50,
  description:
    'Maximum points per group. Negative points are not capped; rules with negative points may use the group `negative`.',
})

const FitRule = strict({ key: Key, label: Line(100), group: Key, when: RuleDocument, points: Points })
const EngagementRule = strict({
  key: Key,
  label: Line(100),
  group: Key,
  signal: Type.Enum([...signals]),
  points: Points,
  max_count: Type.Integer({
    minimum: 1,
    maximum: 50,
    description: 'Maximum number of signals that count (newest first).',
  }),
})
export type FitRule = Static<typeof FitRule>
export type EngagementRule = Static<typeof EngagementRule>

const configFields = {
  grade_thresholds: strict({ a: Threshold, b: Threshold }),
  weights: strict({ fit: Weight, engagement: Weight }),
  fit: strict({ rules: Type.Array(FitRule, { maxItems: 100 }), group_caps: GroupCaps }),
  engagement: strict({
    half_life_days: Type.Integer({
      minimum: 1,
      maximum: 365,
      description: 'Days after which a signal counts half.',
    }),
    window_days: Type.Integer({ minimum: 7, maximum: 365, description: 'Maximum age in days of signals that count.' }),
    rules: Type.Array(EngagementRule, { maxItems: 100 }),
    group_caps: GroupCaps,
  }),
  auto_mql: strict({ enabled: Type.Boolean(), min_score: Percent }),
}

export const ScoringConfig = named(
  'ScoringConfig',
  withExample(strict(configFields), {
    grade_thresholds: { a: 70, b: 40 },
    weights: { fit: 0.6, engagement: 0.4 },
    fit: {
      rules: [
        { key: 'phone', label: 'Phone known', group: 'person', when: { field: 'phone', op: 'is_set' }, points: 5 },
      ],
      group_caps: { person: 50 },
    },
    engagement: { half_life_days: 30, window_days: 90, rules: [], group_caps: {} },
    auto_mql: { enabled: true, min_score: 60 },
  }),
)
export type ScoringConfig = Static<typeof ScoringConfig>

const versionedFields = {
  ...configFields,
  version: Type.Integer({ minimum: 0, description: '0 is the default config.' }),
  updated_at: nullable(Timestamp),
  updated_by: nullable(Id),
}
export const VersionedScoringConfig = named('VersionedScoringConfig', strict(versionedFields))
export type VersionedScoringConfig = Static<typeof VersionedScoringConfig>

const Rescore = Type.Union(
  [
    strict({ mode: Type.Enum(['inline']), leads: Type.Integer() }),
    strict({ mode: Type.Enum(['task']), ...AcceptedTask.properties }),
  ],
  {
    description: '`inline`: up to 200 leads were rescored within the request. `task`: a background task rescores them.',
  },
)
export type Rescore = Static<typeof Rescore>
export const ReplacedScoringConfig = named('ReplacedScoringConfig', strict({ ...versionedFields, rescore: Rescore }))

const Scores = strict({
  fit_score: Percent,
  engagement_score: Percent,
  score: Percent,
  grade: Type.Enum(['A', 'B', 'C']),
})
export type Scores = Static<typeof Scores>

export const RecomputedScore = named(
  'RecomputedScore',
  strict({
    lead_id: Id,
    previous: Scores,
    current: Scores,
    reasons: Type.Array(ScoreReason),
    config_version: Type.Integer(),
  }),
)
export type RecomputedScore = Static<typeof RecomputedScore>
