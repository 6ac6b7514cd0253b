import { type Static, Type } from 'typebox'
import { Accepted, Id, Line, named, nullable, strict, Timestamp } from '#platform/schema'
import { ScoreReason } from '../leads/leads.schemas.ts'
import { RuleDocument } from '../rules/rule.schemas.ts'
import { signals } from './signals.rules.ts'

const Key = Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$', minLength: 1, maxLength: 50 })
const Points = Type.Integer({ minimum: -100, maximum: 100 })
const Percent = Type.Integer({ minimum: 0, maximum: 100 })
const Threshold = Type.Integer({ minimum: 1, maximum: 100 })
const Weight = Type.Number({ minimum: 0, maximum: 1 })

const GroupCaps = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' }), Percent, {
  maxProperties: 50,
  description:
    'The most a group of rules can give. Negative points are not capped; theirs may be the group `negative`.',
})

const FitRule = strict({ key: Key, label: Line(100), group: Key, when: RuleDocument, points: Points })
const EngagementRule = strict({
  key: Key,
  label: Line(100),
  group: Key,
  signal: Type.Enum([...signals]),
  points: Points,
  max_count: Type.Integer({ minimum: 1, maximum: 50, description: 'Only so many count, the newest ones.' }),
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
      description: 'After so many days a signal counts half as much.',
    }),
    window_days: Type.Integer({ minimum: 7, maximum: 365, description: 'What is older does not count.' }),
    rules: Type.Array(EngagementRule, { maxItems: 100 }),
    group_caps: GroupCaps,
  }),
  auto_mql: strict({ enabled: Type.Boolean(), min_score: Percent }),
}

/** The rules leads are scored by: who they are, what they did, and what that makes them. */
export const ScoringConfig = named('ScoringConfig', strict(configFields))
export type ScoringConfig = Static<typeof ScoringConfig>

const numbered = {
  ...configFields,
  version: Type.Integer({ minimum: 0, description: '0 stands for the rules we begin with.' }),
  updated_at: nullable(Timestamp),
  updated_by: nullable(Id),
}
export const NumberedConfig = named('NumberedScoringConfig', strict(numbered))
export type NumberedConfig = Static<typeof NumberedConfig>

const Rescore = Type.Union(
  [
    strict({ mode: Type.Enum(['inline']), leads: Type.Integer() }),
    strict({ mode: Type.Enum(['task']), ...Accepted.properties }),
  ],
  { description: 'Up to 200 leads are scored anew at once; more are a task to follow.' },
)
export type Rescore = Static<typeof Rescore>
export const ReplacedConfig = named('ReplacedScoringConfig', strict({ ...numbered, rescore: Rescore }))

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
