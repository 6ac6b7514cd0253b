import { type Static, Type } from 'typebox'
import { engineFields, named, nullable, strict } from '#platform/schema'
import { CriterionResult } from '../criteria/criteria.schemas.ts'

const count = Type.Integer({ minimum: 0 })

export const RoleplayMetrics = strict({
  talk_ratio: nullable(Type.Number({ description: 'Share of the seller, by time or words.' })),
  rep_words: count,
  buyer_words: count,
  questions: strict({ total: count, open: count, closed: count, per_10_turns: Type.Number() }),
  objections: strict({
    raised: count,
    handled: count,
    unresolved: count,
    open: Type.Array(Type.String(), { description: 'Topics of objections that wait for an answer.' }),
  }),
  facts: strict({ revealed: count, total: count }),
  filler: strict({
    count,
    per_100_words: Type.Number(),
    top: Type.Array(strict({ word: Type.String(), count })),
  }),
  longest_monologue: nullable(strict({ words: count, seq: Type.Integer() })),
  pace_wpm: nullable(Type.Number()),
  mood: Type.Integer(),
})
export type RoleplayMetrics = Static<typeof RoleplayMetrics>

const scoredCriterion = { key: Type.String(), name: Type.String(), score: Type.Number() }

export const Scorecard = named(
  'CoachingScorecard',
  strict({
    score: nullable(Type.Integer({ description: 'Weighted average of the scored criteria.' })),
    passing_score: Type.Integer(),
    rubric_version: Type.Integer(),
    criteria: Type.Array(CriterionResult),
    strengths: Type.Array(strict(scoredCriterion), { description: 'Up to two criteria with at least 80 points.' }),
    improvements: Type.Array(
      strict({ ...scoredCriterion, quote: nullable(Type.String()), suggestion: Type.String() }),
      { description: 'Up to two criteria with less than 70 points.' },
    ),
    metrics: nullable({ ...RoleplayMetrics, description: 'Null for a session with a coach.' }),
    lexicon: nullable(Type.String({ description: 'Version of the word lists of the metrics.' })),
    engine: nullable({ ...engineFields.engine, description: 'Null if a coach gave the scores.' }),
    model: engineFields.model,
    fallback_reason: engineFields.fallback_reason,
  }),
)
export type Scorecard = Static<typeof Scorecard>
