import { createHash } from 'node:crypto'
import { AppError, conflict, invalid } from '#platform/errors'
import type { Buyer, BuyerContext, BuyerMove } from '../buyer/buyer-state.ts'
import type { PersonaRow } from '../personas/persona-row.ts'
import { traitsOf } from '../personas/personas.rules.ts'
import type { PracticeLanguage } from '../personas/personas.schemas.ts'
import type { NewMessage, RoleplayMessage, RoleplayState } from './roleplay.schemas.ts'
import type { MessageRow, RoleplayRow } from './roleplay-row.ts'

export const maxActiveRoleplays = 3
/** Model requests take at most 20 s. */
export const claimSeconds = 30
const maxTranscriptMessages = 40

type SeedInput = { scenarioId: string | null; personaId: string; attemptNo: number }

/** Without time and session, so that sellers with the same attempt meet the same buyer. */
export const seedOf = ({ scenarioId, personaId, attemptNo }: SeedInput): Buffer =>
  createHash('sha256')
    .update(`${scenarioId ?? ''}:${personaId}:${attemptNo}`)
    .digest()

export const toBuyer = (persona: PersonaRow, language: PracticeLanguage | undefined): Buyer => ({
  name: persona.name,
  job_title: persona.job_title,
  company_profile: persona.company_profile,
  industry: persona.industry,
  style: persona.style,
  language: language ?? persona.language,
  traits: traitsOf(persona.traits),
  goals: persona.goals,
  pains: persona.pains,
  opening_line: persona.opening_line,
  objections: persona.objections,
  facts: persona.facts,
})

type ContextFields = Pick<
  RoleplayRow,
  'persona_snapshot' | 'scenario_snapshot' | 'started_at' | 'mode' | 'voice_seconds'
>

export const toBuyerContext = (
  { persona_snapshot, scenario_snapshot, started_at, mode, voice_seconds }: ContextFields,
  now: Date,
): BuyerContext => ({
  buyer: persona_snapshot,
  difficulty: scenario_snapshot.difficulty,
  maxTurns: scenario_snapshot.max_turns,
  timeLimitSeconds: mode === 'voice' ? voice_seconds : scenario_snapshot.time_limit_seconds,
  elapsedSeconds: started_at ? (now.getTime() - started_at.getTime()) / 1_000 : 0,
})

/** Without the keys of facts and objections. */
export const presentState = ({ state, scenario_snapshot: { max_turns } }: RoleplayRow): RoleplayState => ({
  turn: state.turn,
  turns_left: state.ended ? 0 : Math.max(0, max_turns - state.turn),
  mood: state.mood,
  ended: state.ended,
  end_reason: state.end_reason,
  commitment: state.commitment,
})

export const presentMessage = ({ seq, role, text, spoken_seconds, created_at }: MessageRow): RoleplayMessage => ({
  seq,
  role,
  text,
  spoken_seconds: spoken_seconds === null ? null : Number(spoken_seconds),
  created_at,
})

const wordsPerSecond = 2.5

/** For the opening of a voice call, which no client has measured; otherwise the talk ratio could not use times. */
export const estimateSpokenSeconds = (text: string): number => text.split(/\s+/).length / wordsPerSecond

/** A call that is finished at once may still go on with the provider, which does not report its end. */
const minVoiceSeconds = 120

/** Seconds of a voice call that count against the limits after its end. */
export const countVoiceSeconds = ({ voice_seconds, started_at }: RoleplayRow, now: Date): number | null =>
  voice_seconds === null || !started_at
    ? voice_seconds
    : Math.min(voice_seconds, Math.max(minVoiceSeconds, Math.ceil((now.getTime() - started_at.getTime()) / 1_000)))

export function assertMessageFields({ mode }: RoleplayRow, message: NewMessage): void {
  for (const field of ['buyer_text', 'buyer_spoken_seconds'] as const)
    if (message[field] !== undefined && mode !== 'voice')
      throw invalid('body', `/${field}`, 'not_allowed', `\`${field}\` must not be set in a text conversation.`)
  if (message.buyer_spoken_seconds !== undefined && message.buyer_text === undefined)
    throw invalid('body', '/buyer_text', 'required', '`buyer_text` is required with `buyer_spoken_seconds`.')
}

/** Steps that only the server knows of. The voice provider says them when the client passes the cue on. */
export const hasCue = (moves: readonly BuyerMove[]): boolean =>
  moves.some(({ step }) => step !== 'prompt' && step !== 'answer')

export const turnInProgressError = () =>
  new AppError(409, 'turn_in_progress', 'Another message of this roleplay is being answered.', {
    headers: { 'retry-after': '5' },
  })

export const evaluationRunningError = () =>
  new AppError(409, 'evaluation_running', 'The roleplay is being evaluated.', { headers: { 'retry-after': '5' } })

export function assertOpenConversation({ status, state }: RoleplayRow): void {
  if (status !== 'active') throw conflict('session_closed', 'The roleplay has ended. Start another one.')
  if (state.ended) throw conflict('conversation_ended', 'The buyer has ended the conversation. Finish the roleplay.')
}

/** Has nothing that the buyer has not told, except for what this reply tells. */
export const toModelData = (
  { persona_snapshot: buyer, scenario_snapshot: { type } }: RoleplayRow,
  messages: readonly Pick<MessageRow, 'role' | 'text'>[],
  moves: readonly BuyerMove[],
) => ({
  buyer: {
    name: buyer.name,
    job_title: buyer.job_title,
    company_profile: buyer.company_profile,
    industry: buyer.industry,
    style: buyer.style,
    language: buyer.language,
    goals: buyer.goals,
    pains: buyer.pains,
    traits: buyer.traits,
  },
  situation: { type },
  transcript: messages.slice(-maxTranscriptMessages).map(({ role, text }) => ({ role, text })),
  reply_must: moves.map(describeMove),
})

function describeMove(move: BuyerMove): { do: BuyerMove['step']; say?: string; topic?: string } {
  if (move.step === 'reveal') return { do: move.step, topic: move.fact.topic, say: move.fact.text }
  if (move.step === 'raise') return { do: move.step, topic: move.objection.topic, say: move.objection.text }
  if (move.step === 'answer') return { do: move.step, say: move.text }
  if (move.step === 'acknowledge' || move.step === 'push_back') return { do: move.step, topic: move.objection.topic }
  return { do: move.step }
}
