import { type Static, Type } from 'typebox'
import { engineFields, Id, named, nullable, strict, Timestamp } from '#platform/schema'
import { settableLeadStages, settableLeadStatuses } from '../../people/lead-records/leads.rules.ts'

const Sentence = Type.String({ minLength: 1, maxLength: 300 })

const Evidence = strict({
  kind: Type.Enum(['field', 'activity', 'score']),
  ref: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Field name, activity id or key of a scoring rule.',
  }),
  text: Sentence,
})
export type Evidence = Static<typeof Evidence>

const Criterion = strict({
  state: Type.Enum(['known', 'unknown', 'negative']),
  evidence: Type.Array(Evidence, { maxItems: 5 }),
})
export type Criterion = Static<typeof Criterion>

export const LeadAssessment = strict({
  verdict: Type.Enum(['qualified', 'nurture', 'needs_info', 'disqualify']),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  criteria: strict({ budget: Criterion, authority: Criterion, need: Criterion, timing: Criterion }),
  reasons: Type.Array(Sentence, { minItems: 1, maxItems: 6 }),
  next_best_action: strict({
    action: Type.Enum(['find_contact_details', 'call_now', 'book_meeting', 're_engage', 'follow_up']),
    why: Sentence,
  }),
})
export type LeadAssessment = Static<typeof LeadAssessment>

export const qualificationFields = ['email', 'phone', 'title', 'company', 'industry', 'employee_count'] as const

export const Qualification = named(
  'LeadQualification',
  strict({
    ...engineFields,
    ...LeadAssessment.properties,
    missing: Type.Array(Type.Enum([...qualificationFields]), {
      description: 'Empty fields that would help to qualify the lead.',
    }),
    suggested_status: nullable(Type.Enum([...settableLeadStatuses])),
    suggested_stage: nullable(Type.Enum([...settableLeadStages])),
    generated_at: Timestamp,
  }),
)
export type Qualification = Static<typeof Qualification>

export const purposes = ['intro', 'follow_up', 'meeting_request', 're_engage', 'break_up'] as const
export type Purpose = (typeof purposes)[number]
export const tones = ['friendly', 'formal', 'direct'] as const
export type Tone = (typeof tones)[number]

export const DraftEmailRequest = Type.Object(
  {
    purpose: Type.Optional(
      Type.Enum([...purposes], { description: 'Defaults to the purpose that fits the conversation so far.' }),
    ),
    tone: Type.Enum([...tones], { default: 'friendly' }),
    length: Type.Enum(['short', 'medium'], { default: 'short' }),
    language: Type.String({
      default: 'en',
      minLength: 2,
      maxLength: 35,
      description: 'BCP 47 language tag. Without a model the draft is in English.',
      examples: ['de-CH'],
    }),
    instructions: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'What the email should say or leave out. Ignored without a model.',
      }),
    ),
  },
  { additionalProperties: false, default: {} },
)
export type DraftEmailRequest = Static<typeof DraftEmailRequest>

const Ref = Type.String({ minLength: 1, maxLength: 100 })

export const EmailContent = strict({
  subject: Type.String({ minLength: 1, maxLength: 120, pattern: '^[^\\r\\n]+$' }),
  body_text: Type.String({ minLength: 1, maxLength: 5_000 }),
  grounded_on: Type.Array(Ref, { maxItems: 40 }),
})
export type EmailContent = Static<typeof EmailContent>

export const LeadEmailDraft = named(
  'LeadDraft',
  strict({
    draft_id: Id,
    ...engineFields,
    purpose: Type.Enum([...purposes]),
    subject: Type.String({ maxLength: 120 }),
    body_text: Type.String({ maxLength: 6_000 }),
    grounded_on: Type.Array(Ref, { description: 'Names of the fields and ids of the activities used in the draft.' }),
    warnings: Type.Array(
      Type.Enum(['no_name', 'no_owner', 'english_only', 'instructions_not_followed', 'contains_link']),
    ),
    sendable: Type.Boolean(),
    not_sendable_reason: nullable(Type.Enum(['no_email', 'opted_out', 'bounced', 'not_opted_in'])),
  }),
)
export type LeadEmailDraft = Static<typeof LeadEmailDraft>
