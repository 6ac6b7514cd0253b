import { conflict } from '#platform/errors'
import { nilUuid } from '#platform/ids'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { hasEnded } from '../../design/survey-records/surveys.rules.ts'
import type { Audience } from './distributions.queries.ts'
import { type NewDistribution, type SkippedCounts, type SkipReason, skipReasons } from './distributions.schemas.ts'

export function assertSendable(survey: Pick<SurveyRow, 'status' | 'closes_at'>, now: Date): void {
  if (survey.status !== 'active' || hasEnded(survey, now)) throw surveyNotActive()
}

export const surveyNotActive = () =>
  conflict('survey_not_active', 'The survey must be active. Activate it before you send it.')

export const tooFewRecipients = (minimum: number, recipients: number) =>
  conflict(
    'too_few_recipients',
    `An anonymous survey must have at least ${minimum} contacts or leads as recipients; it would have ${recipients}. Add contacts or leads to the audience.`,
  )

type SegmentType = { id: string; object_type: string }

export function toAudience(input: NewDistribution, segments: readonly SegmentType[]): Audience {
  const segmentIds = [...new Set(input.segment_ids)]
  const ofType = (type: string) =>
    segmentIds.filter((id) => segments.some((segment) => segment.id === id && segment.object_type === type))
  const emails = input.emails ?? []
  return {
    contact_ids: [...new Set(input.contact_ids)],
    contact_segment_ids: ofType('contact'),
    lead_ids: [...new Set(input.lead_ids)],
    lead_segment_ids: ofType('lead'),
    emails,
    email_count: emails.length,
  }
}

type AudienceSource =
  | { kind: 'contacts' | 'leads'; ids: readonly string[] }
  | { kind: 'segment'; id: string }
  | { kind: 'emails' }

export const sourcesOf = (audience: Audience): AudienceSource[] => [
  { kind: 'contacts', ids: audience.contact_ids },
  ...audience.contact_segment_ids.map((id): AudienceSource => ({ kind: 'segment', id })),
  { kind: 'leads', ids: audience.lead_ids },
  ...audience.lead_segment_ids.map((id): AudienceSource => ({ kind: 'segment', id })),
  { kind: 'emails' },
]

/** The start of the next part of the audience: `offset` counts within lists, `after` is the last member of a segment. */
export type AudiencePosition = { source: number; offset: number; after: string }

export const audienceStart: AudiencePosition = { source: 0, offset: 0, after: nilUuid }

export const noneSkipped: SkippedCounts = {
  no_email: 0,
  suppressed: 0,
  throttled: 0,
  already_invited: 0,
  duplicate: 0,
}

export function addSkipped(counts: SkippedCounts, reasons: readonly SkipReason[]): SkippedCounts {
  const sums = { ...counts }
  for (const reason of reasons) sums[reason] += 1
  return sums
}

export const countSkipped = (counts: SkippedCounts): number =>
  skipReasons.reduce((sum, reason) => sum + counts[reason], 0)

export type DistributionProgress = { position: AudiencePosition | null; recipients: number; skipped: SkippedCounts }
