import { type Decimal, decimal, roundHalfUp, sumOf } from '#platform/decimal'
import { type AnalyzedText, analyzeText, questionsOf, type Sentence } from './analyze-text.rules.ts'
import type { CompiledLexicon } from './lexicons/compile-lexicon.ts'
import { findExactPhrase } from './phrases.rules.ts'

export type FillerUse = { word: string; sentence: Sentence }

export const findFillers = ({ sentences, lexicon }: AnalyzedText): FillerUse[] =>
  sentences.flatMap((sentence) =>
    lexicon.fillers.flatMap((filler) =>
      findExactPhrase(sentence.tokens, filler.phrase)
        .filter((index) => isFiller(sentence, index, filler))
        .map(() => ({ word: filler.phrase.text, sentence })),
    ),
  )

function isFiller(
  { tokens, text }: Sentence,
  index: number,
  { phrase, onlyAtPause, notAfter = [] }: CompiledLexicon['fillers'][number],
): boolean {
  const previous = tokens[index - 1]
  if (previous && notAfter.includes(previous.folded)) return false
  if (!onlyAtPause || !previous) return true
  const [first, last, next] = [
    tokens[index]!,
    tokens[index + phrase.tokens.length - 1]!,
    tokens[index + phrase.tokens.length],
  ]
  return text.slice(previous.end, first.start).includes(',') || text.slice(last.end, next?.start).includes(',')
}

export type ConversationMessage = {
  seq: number
  role: 'rep' | 'buyer'
  text: string
  spokenSeconds?: number | null
}

export type AnalyzedMessage = ConversationMessage & { analysis: AnalyzedText }

export type ConversationMetrics = {
  /** Share of the rep, by time if all messages have one, otherwise by words. */
  talkRatio: Decimal | null
  repWords: number
  buyerWords: number
  repTurns: number
  questions: { total: number; open: number }
  fillers: (FillerUse & { seq: number })[]
  longestMonologue: { words: number; seq: number } | null
  wordsPerMinute: Decimal | null
}

export type AnalyzedConversation = { messages: AnalyzedMessage[]; metrics: ConversationMetrics }

type Conversation = {
  messages: readonly ConversationMessage[]
  language: string
  /** Duration of a recording; otherwise the times of the messages of the rep. */
  durationSeconds?: number | null
}

export function analyzeConversation({ messages, language, durationSeconds }: Conversation): AnalyzedConversation {
  const analyzed = messages.map((message) => ({ ...message, analysis: analyzeText(message.text, language) }))
  const ofRep = analyzed.filter(({ role }) => role === 'rep')
  const repWords = countWords(ofRep)
  const questions = ofRep.flatMap(({ analysis }) => questionsOf(analysis))
  const longest = ofRep.reduce<AnalyzedMessage | undefined>(
    (current, message) => (current && current.analysis.words >= message.analysis.words ? current : message),
    undefined,
  )
  return {
    messages: analyzed,
    metrics: {
      talkRatio: measureTalkRatio(analyzed),
      repWords,
      buyerWords: countWords(analyzed) - repWords,
      repTurns: ofRep.length,
      questions: { total: questions.length, open: questions.filter(({ question }) => question === 'open').length },
      fillers: ofRep.flatMap(({ seq, analysis }) => findFillers(analysis).map((use) => ({ ...use, seq }))),
      longestMonologue: longest ? { words: longest.analysis.words, seq: longest.seq } : null,
      wordsPerMinute: measurePace(repWords, durationSeconds ?? sumSeconds(ofRep)),
    },
  }
}

const countWords = (messages: readonly AnalyzedMessage[]): number =>
  messages.reduce((sum, { analysis }) => sum + analysis.words, 0)

/** Returns null unless all messages have a time. */
function sumSeconds(messages: readonly ConversationMessage[]): Decimal | null {
  const seconds = messages.map(({ spokenSeconds }) => spokenSeconds ?? null)
  return seconds.includes(null) ? null : sumOf(seconds.map((value) => decimal(value!)))
}

function measureTalkRatio(messages: readonly AnalyzedMessage[]): Decimal | null {
  const ofRep = messages.filter(({ role }) => role === 'rep')
  const seconds = sumSeconds(messages)
  const [part, total] = seconds?.gt(0)
    ? [sumSeconds(ofRep)!, seconds]
    : [decimal(countWords(ofRep)), decimal(countWords(messages))]
  return total.gt(0) ? part.div(total) : null
}

function measurePace(words: number, seconds: Decimal | number | null): Decimal | null {
  if (seconds === null || decimal(seconds).lte(0)) return null
  return decimal(words).times(60).div(seconds)
}

export const fillersPer100Words = ({ fillers, repWords }: ConversationMetrics): Decimal | null =>
  repWords ? decimal(fillers.length).times(100).div(repWords) : null

const shownFillers = 5

/** Rounds the metrics for responses. */
export function presentMetrics(metrics: ConversationMetrics) {
  const { talkRatio, repWords, buyerWords, repTurns, questions, fillers, longestMonologue, wordsPerMinute } = metrics
  const perWord = Map.groupBy(fillers, ({ word }) => word)
  const per100Words = fillersPer100Words(metrics)
  return {
    talk_ratio: talkRatio && roundHalfUp(talkRatio, 4),
    rep_words: repWords,
    buyer_words: buyerWords,
    questions: {
      ...questions,
      closed: questions.total - questions.open,
      per_10_turns: repTurns ? roundHalfUp(decimal(questions.total).times(10).div(repTurns), 2) : 0,
    },
    filler: {
      count: fillers.length,
      per_100_words: per100Words ? roundHalfUp(per100Words, 2) : 0,
      top: [...perWord]
        .map(([word, uses]) => ({ word, count: uses.length }))
        .sort((one, other) => other.count - one.count || (one.word < other.word ? -1 : 1))
        .slice(0, shownFillers),
    },
    longest_monologue: longestMonologue,
    pace_wpm: wordsPerMinute && roundHalfUp(wordsPerMinute, 1),
  }
}
