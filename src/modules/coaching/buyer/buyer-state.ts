import type { Fact, Objection, PersonaStyle, PracticeLanguage, Traits } from '../personas/personas.schemas.ts'
import type { Difficulty } from '../scenarios/scenarios.schemas.ts'

/** State of the buyer, stored with the session. Only a part of it is shown to the seller. */
export type BuyerState = {
  turn: number
  mood: number
  /** Keys of facts, in the order in which they were told. */
  revealed: string[]
  /** Keys of objections, in the order in which they were raised. */
  raised: string[]
  handled: string[]
  unresolved: string[]
  pending: { key: string; tries: number; since: number } | null
  commitment: boolean
  ended: boolean
  end_reason: EndReason | null
  /** Counts answers from goals and pains, which rotate. */
  answers: number
  turnsWithoutQuestion: number
  questions: string[]
  /** Turns in which the seller handled an objection or found a fact; they are the evidence of the scorecard. */
  handledAt: number[]
  revealedAt: number[]
}

export type EndReason = 'max_turns' | 'time_limit' | 'mood'

/** A persona as it was when the session began. */
export type Buyer = {
  name: string
  job_title: string
  company_profile: string | null
  industry: string | null
  style: PersonaStyle
  language: PracticeLanguage
  traits: Traits
  goals: readonly string[]
  pains: readonly string[]
  opening_line: string | null
  objections: readonly Objection[]
  facts: readonly Fact[]
}

/** Properties of a message of the seller that the rules use. */
export type MessageSignals = {
  wordCount: number
  hasQuestion: boolean
  hasOpenQuestion: boolean
  questions: readonly string[]
  hasEmpathy: boolean
  hasNextStep: boolean
  hasPriceWord: boolean
  containsAny(phrases: readonly string[]): boolean
  repeatsAny(questions: readonly string[]): boolean
}

export type BuyerContext = {
  buyer: Buyer
  difficulty: Difficulty
  maxTurns: number
  timeLimitSeconds: number | null
  elapsedSeconds: number
}

/** A step of the reply. Only the texts of these facts and objections may be told. */
export type BuyerMove =
  | { step: 'acknowledge'; objection: Objection }
  | { step: 'push_back'; objection: Objection }
  | { step: 'reveal'; fact: Fact }
  | { step: 'agree' }
  | { step: 'raise'; objection: Objection }
  | { step: 'not_yet' }
  | { step: 'answer'; text: string }
  | { step: 'prompt' }
  | { step: 'stop' }
export type BuyerStep = BuyerMove['step'] | 'open'
