import { type Static, Type } from 'typebox'
import { Line, named, nullable, strict } from '#platform/schema'

export const criterionKinds = [
  'talk_ratio',
  'questions',
  'objections',
  'discovery',
  'keywords',
  'next_step',
  'filler',
  'monologue',
  'pace',
  'duration',
  'judgement',
] as const
export type CriterionKind = (typeof criterionKinds)[number]

/** Kinds for a recording of one speaker. */
export const monologueKinds = [
  'keywords',
  'next_step',
  'filler',
  'pace',
  'duration',
  'judgement',
] as const satisfies CriterionKind[]

const Phrase = Line(80)
const rate = (description: string) => Type.Optional(Type.Number({ minimum: 0.01, maximum: 1, description }))

const NewCriterionConfig = strict({
  min: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 400,
      description: 'For `talk_ratio` a share (0.3), for `pace` words a minute (120).',
    }),
  ),
  max: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 400,
      description: 'For `talk_ratio` a share (0.55), for `pace` words a minute (160).',
    }),
  ),
  target: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'For `questions`: their number (6).' })),
  open_min_rate: rate('For `questions`: the share of open ones that is enough (0.5).'),
  groups: Type.Optional(
    Type.Array(Type.Array(Phrase, { minItems: 1, maxItems: 20 }), {
      minItems: 1,
      maxItems: 20,
      description: 'For `keywords`, required: lists of synonyms. One phrase of each list is expected.',
    }),
  ),
  avoid: Type.Optional(
    Type.Array(Phrase, { maxItems: 20, description: 'For `keywords`: phrases that cost 10 points each.' }),
  ),
  max_per_100_words: Type.Optional(Type.Number({ minimum: 0, maximum: 50, description: 'For `filler` (3).' })),
  max_words: Type.Optional(
    Type.Integer({ minimum: 10, maximum: 2_000, description: 'For `monologue`: words of one message (150).' }),
  ),
  min_rate: rate('For `duration`: the share of the time limit that is enough (0.5).'),
  indicators: Type.Optional(
    Type.Array(Phrase, {
      maxItems: 20,
      description: 'For `judgement`: phrases by which the rules score if no model does.',
    }),
  ),
})

const key = Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40, examples: ['open_questions'] })
const weight = Type.Integer({ minimum: 1, maximum: 100 })

export const NewCriterion = named(
  'NewCriterion',
  strict({
    key,
    name: Line(80),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    weight,
    kind: Type.Enum([...criterionKinds]),
    config: Type.Optional(NewCriterionConfig),
  }),
)
export type NewCriterion = Static<typeof NewCriterion>

export const NewCriteria = Type.Array(NewCriterion, { minItems: 1, maxItems: 12 })

/** Configs with all defaults, as they are stored. */
export type CriterionConfigs = {
  talk_ratio: { min: number; max: number }
  questions: { target: number; open_min_rate: number }
  objections: Record<string, never>
  discovery: Record<string, never>
  keywords: { groups: string[][]; avoid: string[] }
  next_step: Record<string, never>
  filler: { max_per_100_words: number }
  monologue: { max_words: number }
  pace: { min: number; max: number }
  duration: { min_rate: number }
  judgement: { indicators: string[] }
}

export type CriterionOf<Kind extends CriterionKind> = {
  key: string
  name: string
  description: string
  weight: number
  kind: Kind
  config: CriterionConfigs[Kind]
}
export type Criterion = { [Kind in CriterionKind]: CriterionOf<Kind> }[CriterionKind]

/** The part of a criterion that everyone may read. */
export const CriterionSummary = named(
  'CriterionSummary',
  strict({
    key: Type.String(),
    name: Type.String(),
    description: Type.String(),
    weight,
    kind: Type.Enum([...criterionKinds]),
    config: Type.Optional(
      Type.Unsafe<Criterion['config']>({
        type: 'object',
        additionalProperties: true,
        description: 'For authors only.',
      }),
    ),
  }),
)

export const Evidence = strict({ seq: Type.Integer({ minimum: 0 }), quote: Type.String({ maxLength: 200 }) })
export type Evidence = Static<typeof Evidence>

export const CriterionResult = named(
  'CriterionResult',
  strict({
    key: Type.String(),
    name: Type.String(),
    weight,
    score: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'Not rounded.' })),
    scored: Type.Boolean({ description: 'False if the criterion does not apply and does not count.' }),
    evidence: Type.Array(Evidence, { maxItems: 3 }),
    feedback: Type.String({ maxLength: 1_000 }),
  }),
)
export type CriterionResult = Static<typeof CriterionResult>
