import { invitationEmailKind, reminderEmailKind } from '../survey-emails/survey-emails.ts'

export type EmailOutcome = 'sent' | 'skipped' | 'failed' | 'uncertain' | 'bounced' | 'complained'

export type InvitationResult = { status: string; failure_reason: string | null }

const optOuts: readonly (string | null)[] = ['opted_out', 'not_opted_in', 'processing_restricted']

/** Returns what the result of an email means for its invitation; undefined if nothing. */
export function toInvitationResult(
  kind: string,
  outcome: EmailOutcome,
  reason: string | null,
): InvitationResult | undefined {
  if (outcome === 'complained' || (outcome === 'skipped' && optOuts.includes(reason)))
    return { status: 'unsubscribed', failure_reason: reason ?? 'complained' }
  if (outcome === 'bounced') return { status: 'bounced', failure_reason: null }
  if (reason === 'recipient_deleted') return { status: 'revoked', failure_reason: null }
  if (kind === reminderEmailKind) return undefined
  if (outcome === 'sent') return { status: 'sent', failure_reason: null }
  if (reason === 'cancelled') return { status: 'revoked', failure_reason: null }
  return { status: 'failed', failure_reason: outcome === 'uncertain' ? 'unknown' : (reason ?? 'rejected') }
}

export const isSurveyEmail = (kind: string): boolean => kind === invitationEmailKind || kind === reminderEmailKind
