import { type Static, Type } from 'typebox'
import { CriterionResult } from '#modules/coaching'
import { engineFields, named, nullable, strict } from '#platform/schema'

const scoredCriterion = { key: Type.String(), name: Type.String(), score: Type.Number() }

export const PitchEvaluation = named(
  'PitchEvaluation',
  strict({
    overall: nullable(Type.Integer({ description: 'Weighted average of the scored criteria.' })),
    insufficient: Type.Boolean({ description: 'The transcript has no words, so nothing could be scored.' }),
    criteria: Type.Array(CriterionResult),
    metrics: strict({
      words: Type.Integer(),
      pace_wpm: nullable(Type.Number()),
      filler_per_100: Type.Number(),
      duration_seconds: nullable(Type.Number()),
      over_limit: nullable(Type.Boolean({ description: 'Null if the duration or the time limit is not known.' })),
    }),
    strengths: Type.Array(strict(scoredCriterion), { description: 'Up to two criteria with at least 80 points.' }),
    improvements: Type.Array(
      strict({ ...scoredCriterion, quote: nullable(Type.String()), suggestion: Type.String() }),
      { description: 'Up to two criteria with less than 70 points.' },
    ),
    moments: Type.Array(strict({ at_seconds: Type.Number(), text: Type.String() }), {
      description: 'Where the evidence was said, if the transcript has times.',
    }),
    criteria_version: Type.Integer(),
    lexicon: nullable(Type.String({ description: 'Version of the word lists of the metrics.' })),
    ...engineFields,
  }),
)
export type PitchEvaluation = Static<typeof PitchEvaluation>
