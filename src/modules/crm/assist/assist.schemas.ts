import { type Static, Type } from 'typebox'
import { answeredBy, Id, named, nullable, strict, Timestamp } from '#platform/schema'
import { settableStages } from '../leads/stage.rules.ts'
import { settableStatuses } from '../leads/status.rules.ts'

const Sentence = Type.String({ minLength: 1, maxLength: 300 })

const Evidence = strict({
  kind: Type.Enum(['field', 'activity', 'score']),
  ref: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The name of a field, the id of an activity, or the key of a scoring rule.',
  }),
  text: Sentence,
})
export type Evidence = Static<typeof Evidence>

const Criterion = strict({
  state: Type.Enum(['known', 'unknown', 'negative']),
  evidence: Type.Array(Evidence, { maxItems: 5 }),
})
export type Criterion = Static<typeof Criterion>

/** What a model is asked for, and what our rules find as well. */
export const Judgement = strict({
  verdict: Type.Enum(['qualified', 'nurture', 'needs_info', 'disqualify']),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  criteria: strict({ budget: Criterion, authority: Criterion, need: Criterion, timing: Criterion }),
  reasons: Type.Array(Sentence, { minItems: 1, maxItems: 6 }),
  next_best_action: strict({
    action: Type.Enum(['find_contact_details', 'call_now', 'book_meeting', 're_engage', 'follow_up']),
    why: Sentence,
  }),
})
export type Judgement = Static<typeof Judgement>

/** What is worth knowing of everybody. */
export const wanted = ['email', 'phone', 'title', 'company', 'industry', 'employee_count'] as const

export const Qualification = named(
  'LeadQualification',
  strict({
    ...answeredBy,
    ...Judgement.properties,
    missing: Type.Array(Type.Enum([...wanted]), { description: 'Fields that would help to judge the lead.' }),
    suggested_status: nullable(Type.Enum([...settableStatuses])),
    suggested_stage: nullable(Type.Enum([...settableStages])),
    generated_at: Timestamp,
  }),
)
export type Qualification = Static<typeof Qualification>

export const purposes = ['intro', 'follow_up', 'meeting_request', 're_engage', 'break_up'] as const
export type Purpose = (typeof purposes)[number]
export const tones = ['friendly', 'formal', 'direct'] as const
export type Tone = (typeof tones)[number]

/** May be left out as a whole. */
export const DraftWish = Type.Object(
  {
    purpose: Type.Optional(
      Type.Enum([...purposes], { description: 'Unless given, it follows from what has been written so far.' }),
    ),
    tone: Type.Enum([...tones], { default: 'friendly' }),
    length: Type.Enum(['short', 'medium'], { default: 'short' }),
    language: Type.String({
      default: 'en',
      minLength: 2,
      maxLength: 35,
      description: 'A language tag of BCP 47. Without a model the draft is English.',
      examples: ['de-CH'],
    }),
    instructions: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'What the mail should say or leave out. Only a model can follow it.',
      }),
    ),
  },
  { additionalProperties: false, default: {} },
)
export type DraftWish = Static<typeof DraftWish>

const Ref = Type.String({ minLength: 1, maxLength: 100 })

/** What a model is asked for, and what our templates give as well. */
export const Letter = strict({
  subject: Type.String({ minLength: 1, maxLength: 120, pattern: '^[^\\r\\n]+$' }),
  body_text: Type.String({ minLength: 1, maxLength: 5_000 }),
  grounded_on: Type.Array(Ref, { maxItems: 40 }),
})
export type Letter = Static<typeof Letter>

export const Draft = named(
  'LeadDraft',
  strict({
    draft_id: Id,
    ...answeredBy,
    purpose: Type.Enum([...purposes]),
    subject: Type.String({ maxLength: 120 }),
    body_text: Type.String({ maxLength: 6_000 }),
    grounded_on: Type.Array(Ref, { description: 'Names of fields and ids of activities the draft speaks of.' }),
    warnings: Type.Array(
      Type.Enum(['no_name', 'no_owner', 'english_only', 'instructions_not_followed', 'contains_link']),
    ),
    sendable: Type.Boolean(),
    not_sendable_reason: nullable(Type.Enum(['no_email', 'opted_out', 'bounced', 'not_opted_in'])),
  }),
)
export type Draft = Static<typeof Draft>
