import { secondsLater } from '#platform/clock'
import type { NextDispatch, SendResult } from './email-messages.queries.ts'

export const claimSeconds = 600
const unknownKindSeconds = 60
/** Prevents that the dispatcher renders a message again and again. */
const minPostponedSeconds = 60
const retryMinutes = [1, 5, 15, 60, 240]

type Retry = Required<Pick<SendResult, 'attempts' | 'last_error'>> &
  ({ state: 'failed' } | { state: 'waiting'; run_at: Date })

export function retryLater(attemptsBefore: number, now: Date, error: string): Retry {
  const attempts = attemptsBefore + 1
  const minutes = retryMinutes[attemptsBefore]
  const last_error = error.slice(0, 500)
  if (minutes === undefined) return { state: 'failed', attempts, last_error }
  return { state: 'waiting', attempts, last_error, run_at: secondsLater(now, minutes * 60) }
}

export const postponeUntil = (time: Date, now: Date): { state: 'waiting'; run_at: Date } => ({
  state: 'waiting',
  run_at: new Date(Math.max(time.getTime(), secondsLater(now, minPostponedSeconds).getTime())),
})

export type MailFailure = {
  message: string
  isPermanent: boolean
  mayHaveArrived: boolean
  isServerUnavailable: boolean
  smtpStatus: string | null
}

/** The mailbox or domain of the recipient does not exist (RFC 3463). */
const bounceStatuses = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']

/** Without a clear reply of the mail server the message may have arrived, so it must not be sent again. */
export function toFailedResult(
  failure: MailFailure | undefined,
  attempts: number,
  now: Date,
): Omit<SendResult, 'id' | 'address'> {
  if (!failure || failure.mayHaveArrived)
    return { state: 'uncertain', last_error: 'The connection broke before the mail server confirmed the message.' }
  const { message, isPermanent, isServerUnavailable, smtpStatus } = failure
  const last_error = message.slice(0, 500)
  if (isPermanent) {
    const isBounce = smtpStatus !== null && bounceStatuses.includes(smtpStatus)
    return { state: isBounce ? 'bounced' : 'failed', attempts: attempts + 1, last_error }
  }
  return isServerUnavailable ? { state: 'waiting', last_error } : retryLater(attempts, now, message)
}

export function nextDispatchAt({ known_at, waiting_at, claimed_at }: NextDispatch, earliest: Date): Date | undefined {
  const times = [
    known_at,
    // Messages of a kind that only another version of the worker knows.
    waiting_at !== null && (known_at === null || waiting_at < known_at)
      ? secondsLater(earliest, unknownKindSeconds)
      : null,
    claimed_at && secondsLater(claimed_at, claimSeconds + 1),
  ].filter((time) => time !== null)
  return times.length ? new Date(Math.max(earliest.getTime(), Math.min(...times.map(Number)))) : undefined
}
