import { type Decimal, decimal, roundHalfUp } from '#platform/decimal'
import { findSentenceWith, questionsOf } from './analyze-text.rules.ts'
import { type AnalyzedConversation, type AnalyzedMessage, fillersPer100Words } from './conversation.rules.ts'
import type { Criterion, CriterionConfigs, CriterionKind, Evidence } from './criteria.schemas.ts'
import { findNextStep, type NextStep } from './next-step.rules.ts'
import * as formulas from './score-formulas.rules.ts'

/** Results of the conversation that do not follow from its text. `seqs` are the messages that show them. */
export type ConversationOutcome = {
  objections?: { raised: number; handled: number; seqs: readonly number[] }
  facts?: { revealed: number; total: number; seqs: readonly number[] }
  durationSeconds?: number | null
  timeLimitSeconds?: number | null
}

export type ScoredCriterion = { score: Decimal | null; evidence: Evidence[]; feedback: string }

type ScoreCriterion<Kind extends CriterionKind> = (
  config: CriterionConfigs[Kind],
  conversation: AnalyzedConversation,
  outcome: ConversationOutcome,
) => ScoredCriterion

const maxEvidence = 3
const maxQuoteLength = 200

export const scoreCriterion = (
  { kind, config }: Criterion,
  conversation: AnalyzedConversation,
  outcome: ConversationOutcome,
): ScoredCriterion => (scorers[kind] as ScoreCriterion<CriterionKind>)(config, conversation, outcome)

const scorers: { [Kind in CriterionKind]: ScoreCriterion<Kind> } = {
  talk_ratio(config, { metrics: { talkRatio } }) {
    if (!talkRatio) return notScored('The conversation has no words.')
    const target = `${toPercent(config.min)} to ${toPercent(config.max)} %`
    const feedback = `You spoke ${toPercent(talkRatio)} % of the time; the target is ${target}.`
    return scored(formulas.scoreTalkRatio(talkRatio, config), [], feedback)
  },

  questions(config, { messages, metrics: { questions } }) {
    const asked = messagesOfRep(messages).flatMap(({ seq, analysis }) =>
      questionsOf(analysis).map(({ text, question }) => ({ seq, text, isOpen: question === 'open' })),
    )
    const openFirst = asked.toSorted((one, other) => Number(other.isOpen) - Number(one.isOpen))
    const feedback = `You asked ${count(questions.total, 'question')}, ${questions.open} of them open; the target is ${config.target}.`
    return scored(formulas.scoreQuestions(questions, config), openFirst, feedback)
  },

  objections(_config, { messages }, { objections }) {
    if (!objections?.raised) return notScored('The buyer raised no objection.')
    const { raised, handled, seqs } = objections
    const feedback = `You handled ${handled} of ${count(raised, 'objection')}.`
    return scored(formulas.scoreShare(handled, raised), quotesOf(messages, seqs), feedback)
  },

  discovery(_config, { messages }, { facts }) {
    if (!facts?.total) return notScored('The buyer has no facts to discover.')
    const { revealed, total, seqs } = facts
    const feedback = `You discovered ${revealed} of ${count(total, 'fact')}.`
    return scored(formulas.scoreShare(revealed, total), quotesOf(messages, seqs), feedback)
  },

  keywords({ groups, avoid }, { messages }) {
    const hits = groups.flatMap((phrases) => findQuote(messages, phrases) ?? [])
    const avoidHits = avoid.flatMap((phrase) => findQuote(messages, [phrase]) ?? [])
    const feedback = [
      `You mentioned ${hits.length} of ${count(groups.length, 'topic')}.`,
      avoidHits.length ? `You used ${count(avoidHits.length, 'phrase')} to avoid.` : '',
    ]
    const score = formulas.scoreKeywords(hits.length, groups.length, avoidHits.length)
    return scored(score, [...avoidHits, ...hits], feedback.filter(Boolean).join(' '))
  },

  next_step(_config, { messages }) {
    const steps = messagesOfRep(messages).flatMap(({ seq, analysis }) => {
      const step = findNextStep(analysis)
      return step ? [{ seq, ...step, text: step.sentence.text }] : []
    })
    const best = steps.find(({ hasTime }) => hasTime) ?? steps[0]
    return scored(formulas.scoreNextStep(best), best ? [best] : [], describeNextStep(best))
  },

  filler(config, { metrics }) {
    const per100Words = fillersPer100Words(metrics)
    if (!per100Words) return notScored('The transcript has no words.')
    const quotes = metrics.fillers.map(({ seq, sentence }) => ({ seq, text: sentence.text }))
    const feedback = `You used ${roundHalfUp(per100Words, 1)} fillers per 100 words; up to ${config.max_per_100_words} are fine.`
    return scored(formulas.scoreFillers(per100Words, config), quotes, feedback)
  },

  monologue(config, { messages, metrics: { longestMonologue: longest } }) {
    if (!longest) return notScored('There is no message of yours.')
    const feedback = `Your longest message has ${count(longest.words, 'word')}; up to ${config.max_words} are fine.`
    return scored(formulas.scoreMonologue(longest.words, config), quotesOf(messages, [longest.seq]), feedback)
  },

  pace(config, { metrics: { wordsPerMinute } }) {
    if (!wordsPerMinute) return notScored('The duration is not known.')
    const feedback = `You spoke ${roundHalfUp(wordsPerMinute)} words a minute; the target is ${config.min} to ${config.max}.`
    return scored(formulas.scorePace(wordsPerMinute, config), [], feedback)
  },

  duration(config, _conversation, { durationSeconds: seconds = null, timeLimitSeconds: limit = null }) {
    if (seconds === null || limit === null) return notScored('The duration or the time limit is not known.')
    const feedback = `It took ${seconds} of ${limit} seconds; at least ${toPercent(config.min_rate)} % should be used.`
    return scored(formulas.scoreDuration({ seconds, limit }, config), [], feedback)
  },

  judgement({ indicators }, { messages }) {
    if (!indicators.length) return notScored('Only a model can score this criterion.')
    const hits = indicators.flatMap((phrase) => findQuote(messages, [phrase]) ?? [])
    const feedback = `${hits.length} of ${count(indicators.length, 'indicator')} occurred.`
    return scored(formulas.scoreShare(hits.length, indicators.length), hits, feedback)
  },
}

type Quotable = { seq: number; text: string }

const notScored = (feedback: string): ScoredCriterion => ({ score: null, evidence: [], feedback })

const scored = (score: Decimal | null, quotes: readonly Quotable[], feedback: string): ScoredCriterion => ({
  score,
  evidence: toEvidence(quotes),
  feedback,
})

/** Stops at the last one it needs, because a long text can have thousands of quotes. */
export function toEvidence(quotes: readonly Quotable[]): Evidence[] {
  const evidence: Evidence[] = []
  for (const { seq, text } of quotes) {
    if (evidence.length === maxEvidence) break
    const quote = shortenQuote(text)
    if (!evidence.some((known) => known.seq === seq && known.quote === quote)) evidence.push({ seq, quote })
  }
  return evidence
}

const shortenQuote = (text: string): string =>
  text.length > maxQuoteLength
    ? `${text
        .slice(0, maxQuoteLength - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()}…`
    : text

const messagesOfRep = (messages: readonly AnalyzedMessage[]) => messages.filter(({ role }) => role === 'rep')

const quotesOf = (messages: readonly AnalyzedMessage[], seqs: readonly number[]): Quotable[] =>
  seqs.flatMap((seq) => messages.find((message) => message.seq === seq) ?? [])

function findQuote(messages: readonly AnalyzedMessage[], phrases: readonly string[]): Quotable | undefined {
  for (const { seq, analysis } of messagesOfRep(messages)) {
    const sentence = findSentenceWith(analysis, phrases)
    if (sentence) return { seq, text: sentence.text }
  }
  return undefined
}

function describeNextStep(step: Pick<NextStep, 'hasTime'> | undefined): string {
  if (!step) return 'You did not propose a next step.'
  return step.hasTime ? 'You proposed a next step with a time.' : 'You proposed a next step without a time.'
}

const toPercent = (share: Decimal | number): number => roundHalfUp(decimal(share).times(100))

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
