import type { CriterionResult } from '#modules/coaching'
import type { TranscriptSegment } from '#platform/ai'
import {
  analyzeConversation,
  evaluateCriteria,
  type Judgement,
  pickImprovements,
  pickStrengths,
  presentMetrics,
} from '#rules/coaching'
import type { PitchEvaluation } from '../submissions/evaluation.schemas.ts'
import type { PromptSnapshot } from '../submissions/submission-row.ts'

const maxMoments = 10

export type Recording = {
  transcript: string
  segments: readonly TranscriptSegment[] | null
  durationSeconds: number | null
}

export type Provenance = Pick<PitchEvaluation, 'engine' | 'model' | 'fallback_reason'>
type EvaluationOptions = { judgements?: Readonly<Record<string, Judgement>>; provenance: Provenance }

export const hasWords = (transcript: string): boolean => /[\p{L}\p{N}]/u.test(transcript)

/** The whole pitch is one message, so that a phrase across two segments is found. */
const analyzeRecording = ({ language }: Pick<PromptSnapshot, 'language'>, { transcript, durationSeconds }: Recording) =>
  analyzeConversation({ language, durationSeconds, messages: [{ seq: 0, role: 'rep', text: transcript }] })

/** Scores a pitch on the criteria of its submission. Same input, same result. */
export function evaluatePitch(
  snapshot: PromptSnapshot,
  recording: Recording,
  { judgements = {}, provenance }: EvaluationOptions,
): PitchEvaluation {
  const { durationSeconds, segments } = recording
  const { time_limit_seconds: timeLimitSeconds } = snapshot
  const conversation = analyzeRecording(snapshot, recording)
  const outcome = { durationSeconds, timeLimitSeconds }
  const { overall, criteria, lexicon } = evaluateCriteria(snapshot.criteria, conversation, { outcome, judgements })
  const { rep_words: words, pace_wpm, filler } = presentMetrics(conversation.metrics)
  const isMeasured = durationSeconds !== null && timeLimitSeconds !== null
  return {
    overall,
    insufficient: words === 0,
    criteria,
    metrics: {
      words,
      pace_wpm,
      filler_per_100: filler.per_100_words,
      duration_seconds: durationSeconds,
      over_limit: isMeasured ? durationSeconds > timeLimitSeconds : null,
    },
    strengths: pickStrengths(criteria),
    improvements: pickImprovements(criteria, snapshot.criteria),
    moments: segments ? findMoments(criteria, segments) : [],
    criteria_version: snapshot.criteria_version,
    lexicon,
    ...provenance,
  }
}

/** Finds the time of each quote, which may begin in one segment and end in another. */
function findMoments(
  criteria: readonly CriterionResult[],
  segments: readonly TranscriptSegment[],
): PitchEvaluation['moments'] {
  const texts = segments.map(({ text }) => normalizeSpace(text))
  const whole = texts.join(' ')
  const quotes = new Set(criteria.flatMap(({ evidence }) => evidence.map(({ quote }) => quote)))
  const moments = [...quotes].flatMap((quote) => {
    const position = whole.indexOf(normalizeSpace(quote.replace(/…$/, '')))
    const segment = position < 0 ? undefined : segments[findSegment(texts, position)]
    return segment ? [{ at_seconds: segment.start, text: quote }] : []
  })
  return moments.sort((one, other) => one.at_seconds - other.at_seconds).slice(0, maxMoments)
}

function findSegment(texts: readonly string[], position: number): number {
  let end = -1
  return texts.findIndex((text) => {
    end += text.length + 1
    return position < end
  })
}

const normalizeSpace = (text: string): string => text.replace(/\s+/g, ' ').trim()
