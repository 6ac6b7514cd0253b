import type { Objection } from '../personas/personas.schemas.ts'
import type { Difficulty } from '../scenarios/scenarios.schemas.ts'
import type { Buyer, BuyerContext, BuyerMove, BuyerState, EndReason, MessageSignals } from './buyer-state.ts'

const moodByDifficulty: Record<Difficulty, number> = { easy: 10, medium: 0, hard: -10, expert: -20 }
const turnsPerObjection: Record<Difficulty, number> = { easy: 4, medium: 3, hard: 2, expert: 2 }
const maxTries = 3
const wordsWithoutGoodResponses = 20
const moodToAgree = 55
const maxKnownQuestions = 200

const clampMood = (mood: number) => Math.min(100, Math.max(0, mood))

export const startBuyer = ({ traits }: Buyer, difficulty: Difficulty): BuyerState => ({
  turn: 0,
  mood: clampMood(60 - 5 * (traits.skepticism - 3) + moodByDifficulty[difficulty]),
  revealed: [],
  raised: [],
  handled: [],
  unresolved: [],
  pending: null,
  commitment: false,
  ended: false,
  end_reason: null,
  answers: 0,
  turnsWithoutQuestion: 0,
  questions: [],
  handledAt: [],
  revealedAt: [],
})

type Turn = { state: BuyerState; moves: BuyerMove[] }

/** Advances the buyer by one message of the seller. The result depends on nothing but the arguments. */
export function advanceBuyer(before: BuyerState, signals: MessageSignals, context: BuyerContext): Turn {
  const { buyer, difficulty } = context
  const state = structuredClone(before)
  state.turn++
  state.turnsWithoutQuestion = signals.hasQuestion ? 0 : state.turnsWithoutQuestion + 1
  const moves: BuyerMove[] = []

  const answered = answerPending(state, signals, buyer)
  if (answered) moves.push(answered.move)
  state.mood = clampMood(
    state.mood + moodChange(before, state, signals, { buyer, objectionPoints: answered?.points ?? 0 }),
  )
  state.questions = [...state.questions, ...signals.questions].slice(-maxKnownQuestions)

  const fact = signals.hasQuestion ? findRevealedFact(state, signals, context) : undefined
  if (fact) {
    state.revealed.push(fact.key)
    state.revealedAt.push(state.turn)
    moves.push({ step: 'reveal', fact })
  }
  if (!state.pending) moves.push(...proceed(state, signals, { buyer, difficulty, hasFact: fact !== undefined }))
  if (!moves.length) moves.push(converse(state, signals, buyer))

  const reason = endReason(state, context)
  if (reason) {
    state.ended = true
    state.end_reason = reason
  }
  return { state, moves: reason === 'mood' ? [{ step: 'stop' }] : moves }
}

/** Handles the pending objection, or fails to do so. After the third failure it stays unresolved. */
function answerPending(
  state: BuyerState,
  signals: MessageSignals,
  { objections }: Buyer,
): { move: BuyerMove; points: number } | undefined {
  const { pending } = state
  const objection = objections.find(({ key }) => key === pending?.key)
  if (!pending || !objection) return undefined
  const isHeard = signals.hasQuestion || signals.hasEmpathy
  const isAnswered = objection.good_responses.length
    ? signals.containsAny(objection.good_responses)
    : signals.wordCount >= wordsWithoutGoodResponses
  if (isHeard && isAnswered) {
    state.handled.push(objection.key)
    state.handledAt.push(state.turn)
    state.pending = null
    return { move: { step: 'acknowledge', objection }, points: 8 }
  }
  pending.tries++
  if (pending.tries < maxTries) return { move: { step: 'push_back', objection }, points: 0 }
  state.unresolved.push(objection.key)
  state.pending = null
  return { move: { step: 'push_back', objection }, points: -4 * objection.severity }
}

type MoodInput = { buyer: Buyer; objectionPoints: number }

function moodChange(
  before: BuyerState,
  state: BuyerState,
  signals: MessageSignals,
  { buyer: { traits }, objectionPoints }: MoodInput,
): number {
  let change = objectionPoints
  if (signals.hasOpenQuestion) change += 6
  else if (signals.hasQuestion) change += 2
  if (signals.hasEmpathy) change += 4
  if (signals.wordCount > 60 + 20 * traits.patience) change -= 6
  if (signals.hasPriceWord && before.revealed.length < 2) change -= 2 + 2 * traits.price_sensitivity
  if (state.turnsWithoutQuestion >= 3) change -= 4
  if (signals.repeatsAny(before.questions)) change -= 10
  return change
}

/** The first fact in order that the question asks for. Difficult buyers tell facts only if the question is open. */
function findRevealedFact(state: BuyerState, signals: MessageSignals, { buyer, difficulty }: BuyerContext) {
  const needsOpenQuestion = difficulty === 'hard' || difficulty === 'expert'
  if (needsOpenQuestion && !signals.hasOpenQuestion) return undefined
  return buyer.facts.find(
    ({ key, reveal_keywords }) => !state.revealed.includes(key) && signals.containsAny(reveal_keywords),
  )
}

type ProceedInput = { buyer: Buyer; difficulty: Difficulty; hasFact: boolean }

/** Reacts to a proposed next step, or raises an objection that is due. */
function proceed(
  state: BuyerState,
  signals: MessageSignals,
  { buyer, difficulty, hasFact }: ProceedInput,
): BuyerMove[] {
  const open = buyer.objections.filter(({ key }) => !state.raised.includes(key))
  if (signals.hasNextStep) {
    if (isReadyToAgree(state, buyer)) {
      state.commitment = true
      return [{ step: 'agree' }]
    }
    return [open[0] ? raise(state, open[0]) : { step: 'not_yet' }]
  }
  const triggered = open.find(({ triggers }) => signals.containsAny(triggers))
  if (triggered) return [raise(state, triggered)]
  const isDue = state.turn % turnsPerObjection[difficulty] === 0
  return isDue && open[0] && !hasFact ? [raise(state, open[0])] : []
}

const isReadyToAgree = ({ revealed, mood }: BuyerState, { facts }: Buyer): boolean =>
  2 * revealed.length >= facts.length && mood >= moodToAgree

function raise(state: BuyerState, objection: Objection): BuyerMove {
  state.raised.push(objection.key)
  state.pending = { key: objection.key, tries: 0, since: state.turn }
  return { step: 'raise', objection }
}

/** Answers an open question from the goals, then the pains, in turn; otherwise asks the seller to go on. */
function converse(state: BuyerState, signals: MessageSignals, { goals, pains }: Buyer): BuyerMove {
  const texts = [...goals, ...pains]
  const text = texts[state.answers % Math.max(1, texts.length)]
  if (!signals.hasOpenQuestion || text === undefined) return { step: 'prompt' }
  state.answers++
  return { step: 'answer', text }
}

function endReason(state: BuyerState, { maxTurns, timeLimitSeconds, elapsedSeconds }: BuyerContext): EndReason | null {
  if (state.mood === 0) return 'mood'
  if (timeLimitSeconds !== null && elapsedSeconds >= timeLimitSeconds) return 'time_limit'
  return state.turn >= maxTurns ? 'max_turns' : null
}
