import { type Static, Type } from 'typebox'
import { engineFields, Id, named, nullable, strict, Timestamp } from '#platform/schema'
import { practiceLanguages } from '../personas/personas.schemas.ts'
import { RoleplayMetrics } from '../sessions/scorecard.schemas.ts'
import { sessionFields } from '../sessions/sessions.schemas.ts'

const seconds = { minimum: 0, maximum: 600 }

export const RoleplayMessage = named(
  'RoleplayMessage',
  strict({
    seq: Type.Integer({ description: 'Number of the message, from 1 without gaps.' }),
    role: Type.Enum(['rep', 'buyer']),
    text: Type.String(),
    spoken_seconds: nullable(Type.Number()),
    created_at: Timestamp,
  }),
)
export type RoleplayMessage = Static<typeof RoleplayMessage>

export const RoleplayState = strict({
  turn: Type.Integer({ description: 'Messages of the seller so far.' }),
  turns_left: Type.Integer(),
  mood: Type.Integer({ description: 'From 0 to 100; the conversation ends at 0.' }),
  ended: Type.Boolean(),
  end_reason: nullable(Type.Enum(['max_turns', 'time_limit', 'mood'])),
  commitment: Type.Boolean({ description: 'The buyer agreed to a next step.' }),
})
export type RoleplayState = Static<typeof RoleplayState>

export const Roleplay = named(
  'CoachingRoleplay',
  strict({
    ...sessionFields,
    mode: Type.Enum(['text', 'voice']),
    integrity: Type.Enum(['server', 'client'], { description: '`client` if the transcript came from the client.' }),
    brief: nullable(Type.String()),
    buyer: strict({ name: Type.String(), job_title: Type.String(), company_profile: nullable(Type.String()) }),
    messages: Type.Array(RoleplayMessage),
    state: RoleplayState,
  }),
)
export type Roleplay = Static<typeof Roleplay>

export const RoleplayOptions = Type.Object(
  {
    is_private: Type.Optional(
      Type.Boolean({ default: false, description: 'Only the seller sees the session, and it counts nowhere.' }),
    ),
    language: Type.Optional(
      Type.Enum([...practiceLanguages], { description: 'Default: the language of the persona.' }),
    ),
    persona_id: Type.Optional({ ...Id, description: 'Another persona than that of the scenario.' }),
  },
  { additionalProperties: false, default: {} },
)
export type RoleplayOptions = Static<typeof RoleplayOptions>

export const NewMessage = strict({
  text: Type.String({ minLength: 1, maxLength: 4_000 }),
  spoken_seconds: Type.Optional(Type.Number(seconds)),
  buyer_text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_000,
      pattern: '\\S',
      description:
        'In a voice call: what the buyer replied, as the provider transcribed it. Otherwise the server replies.',
    }),
  ),
  buyer_spoken_seconds: Type.Optional(Type.Number(seconds)),
  client_message_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Chosen by the client: a repeated message gets the stored reply.',
    }),
  ),
})
export type NewMessage = Static<typeof NewMessage>

export const MessageResult = named(
  'RoleplayTurn',
  strict({
    rep_message: RoleplayMessage,
    buyer_message: RoleplayMessage,
    state: RoleplayState,
    cue: nullable(
      Type.String({
        description: 'In a voice call: what the buyer should say next. The client passes it on to the voice provider.',
      }),
    ),
    ...engineFields,
  }),
)
export type MessageResult = Static<typeof MessageResult>

/** Output of a model, which words a reply that the rules have decided. */
export const BuyerReply = strict({ reply: Type.String({ minLength: 1, maxLength: 1_500, pattern: '\\S' }) })

export const RoleplayAnalysis = named(
  'RoleplayAnalysis',
  strict({
    ...RoleplayMetrics.properties,
    next_best_question: strict({
      text: Type.String(),
      reason: Type.Enum(['open_objection', 'undiscovered_fact', 'next_step']),
    }),
    nudges: Type.Array(Type.Enum(['talk_less', 'ask_question', 'avoid_fillers', 'handle_objection'])),
    ...engineFields,
  }),
)
export type RoleplayAnalysis = Static<typeof RoleplayAnalysis>

export const FinishOptions = strict({
  reflection: Type.Optional(Type.String({ maxLength: 4_000, description: 'Stored as `rep_reflection`.' })),
})
export type FinishOptions = Static<typeof FinishOptions>

/** Output of a model, which scores only the criteria of the kind `judgement`. */
export const Judgements = strict({
  criteria: Type.Array(
    strict({
      key: Type.String({ minLength: 1, maxLength: 40 }),
      score: Type.Integer({ minimum: 0, maximum: 100 }),
      feedback: Type.String({ minLength: 1, maxLength: 500 }),
      evidence: Type.Array(strict({ seq: Type.Integer(), quote: Type.String({ minLength: 1, maxLength: 200 }) }), {
        maxItems: 3,
      }),
    }),
    { maxItems: 12 },
  ),
})
export type Judgements = Static<typeof Judgements>
