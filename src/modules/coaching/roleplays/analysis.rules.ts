import type { Buyer, BuyerState } from '../buyer/buyer-state.ts'
import { type AnalyzedConversation, analyzeConversation, presentMetrics } from '../criteria/conversation.rules.ts'
import type { Criterion, CriterionKind, CriterionResult } from '../criteria/criteria.schemas.ts'
import { evaluateCriteria, type Judgement } from '../criteria/evaluate-criteria.rules.ts'
import { pickImprovements, pickStrengths } from '../criteria/summarize-results.rules.ts'
import type { RoleplayMetrics, Scorecard } from '../sessions/scorecard.schemas.ts'
import type { RoleplayAnalysis } from './roleplay.schemas.ts'
import type { MessageRow, RoleplayRow } from './roleplay-row.ts'

const maxTalkRatio = 0.65
const maxFillersPer100Words = 5
const turnsWithoutQuestion = 3
const turnsWithOpenObjection = 2
const maxNudges = 3

export const minScoredTurns = 4

type Scorable = Pick<RoleplayRow, 'turns' | 'practice_reason' | 'persona_snapshot' | 'scenario_snapshot'>

/** Too short, or with another buyer than the scenario's who has nothing for a criterion. */
export function isInsufficient({
  turns,
  practice_reason,
  persona_snapshot: buyer,
  scenario_snapshot,
}: Scorable): boolean {
  const lacks = (kind: CriterionKind, material: readonly unknown[]) =>
    material.length === 0 && scenario_snapshot.rubric.some((criterion) => criterion.kind === kind)
  const isUnsuited = lacks('discovery', buyer.facts) || lacks('objections', buyer.objections)
  return turns < minScoredTurns || (practice_reason === 'other_persona' && isUnsuited)
}

export type Conversation = Pick<RoleplayRow, 'state' | 'persona_snapshot' | 'scenario_snapshot' | 'started_at'>
export type SpokenMessage = Pick<MessageRow, 'seq' | 'role' | 'text' | 'spoken_seconds'>

const analyzeMessages = (
  { persona_snapshot: { language } }: Conversation,
  messages: readonly SpokenMessage[],
): AnalyzedConversation =>
  analyzeConversation({
    language,
    messages: messages.map(({ seq, role, text, spoken_seconds }) => ({
      seq,
      role,
      text,
      spokenSeconds: spoken_seconds === null ? null : Number(spoken_seconds),
    })),
  })

function measureRoleplay(roleplay: Conversation, { metrics }: AnalyzedConversation): RoleplayMetrics {
  const { state, persona_snapshot: buyer } = roleplay
  return {
    ...presentMetrics(metrics),
    objections: {
      raised: state.raised.length,
      handled: state.handled.length,
      unresolved: state.unresolved.length,
      open: openTopics(state, buyer),
    },
    facts: { revealed: state.revealed.length, total: buyer.facts.length },
    mood: state.mood,
  }
}

const openTopics = ({ pending }: BuyerState, { objections }: Buyer): string[] =>
  objections.filter(({ key }) => key === pending?.key).map(({ topic }) => topic)

export function analyzeRoleplay(roleplay: Conversation, messages: readonly SpokenMessage[]): RoleplayAnalysis {
  const metrics = measureRoleplay(roleplay, analyzeMessages(roleplay, messages))
  return {
    ...metrics,
    next_best_question: chooseNextQuestion(roleplay),
    nudges: listNudges(roleplay, metrics),
    engine: 'rules',
    model: null,
    fallback_reason: null,
  }
}

function chooseNextQuestion({ state, persona_snapshot: buyer }: Conversation): RoleplayAnalysis['next_best_question'] {
  const [topic] = openTopics(state, buyer)
  if (topic !== undefined)
    return { reason: 'open_objection', text: `What would have to be true about ${topic} for this to work for you?` }
  const fact = buyer.facts.find(({ key }) => !state.revealed.includes(key))
  if (fact)
    return {
      reason: 'undiscovered_fact',
      text: fact.suggested_question ?? `How do you handle ${fact.topic} today?`,
    }
  return { reason: 'next_step', text: 'What would be a good next step, and who else should be part of it?' }
}

function listNudges({ state }: Conversation, metrics: RoleplayMetrics): RoleplayAnalysis['nudges'] {
  const nudges: RoleplayAnalysis['nudges'] = []
  if (metrics.talk_ratio !== null && metrics.talk_ratio > maxTalkRatio) nudges.push('talk_less')
  if (state.turnsWithoutQuestion >= turnsWithoutQuestion) nudges.push('ask_question')
  if (metrics.filler.per_100_words > maxFillersPer100Words) nudges.push('avoid_fillers')
  if (state.pending && state.turn - state.pending.since >= turnsWithOpenObjection) nudges.push('handle_objection')
  return nudges.slice(0, maxNudges)
}

type Provenance = Pick<Scorecard, 'engine' | 'model' | 'fallback_reason'>
type ScoreOptions = { judgements?: Readonly<Record<string, Judgement>>; provenance: Provenance; now: Date }

/** Scores a roleplay on the rubric of its start. Same input, same result. */
export function scoreRoleplay(
  roleplay: Conversation,
  messages: readonly SpokenMessage[],
  { judgements = {}, provenance, now }: ScoreOptions,
): Scorecard {
  const { state, persona_snapshot: buyer, scenario_snapshot: snapshot, started_at } = roleplay
  const conversation = analyzeMessages(roleplay, messages)
  const outcome = {
    objections: { raised: state.raised.length, handled: state.handled.length, seqs: toSeqs(state.handledAt) },
    facts: { revealed: state.revealed.length, total: buyer.facts.length, seqs: toSeqs(state.revealedAt) },
    durationSeconds: started_at ? Math.round((now.getTime() - started_at.getTime()) / 1_000) : null,
    timeLimitSeconds: snapshot.time_limit_seconds,
  }
  const { overall, criteria, lexicon } = evaluateCriteria(snapshot.rubric, conversation, { outcome, judgements })
  return {
    score: lacksMaterial(snapshot.rubric, criteria) ? null : overall,
    passing_score: snapshot.passing_score,
    rubric_version: snapshot.rubric_version,
    criteria,
    strengths: pickStrengths(criteria),
    improvements: pickImprovements(criteria, snapshot.rubric),
    metrics: measureRoleplay(roleplay, conversation),
    lexicon,
    ...provenance,
  }
}

/** Half of the weight or more is about what the buyer never said, so the rest is no measure of the whole. */
function lacksMaterial(rubric: readonly Criterion[], results: readonly CriterionResult[]): boolean {
  const weightOf = (criteria: readonly Criterion[]) => criteria.reduce((sum, { weight }) => sum + weight, 0)
  const unscored = new Set(results.filter(({ scored }) => !scored).map(({ key }) => key))
  const ofBuyer = rubric.filter(({ key, kind }) => (kind === 'objections' || kind === 'discovery') && unscored.has(key))
  return 2 * weightOf(ofBuyer) >= weightOf(rubric)
}

/** The buyer opens the conversation, so the seller's messages have even numbers. */
const toSeqs = (turns: readonly number[]): number[] => turns.map((turn) => 2 * turn)
