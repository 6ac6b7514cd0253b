import type { ContactPermission, EnrollablePerson } from '#modules/crm'
import { daysLater } from '#platform/clock'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import { type EnrollmentStatus, type ExitReason, isLiveEnrollment } from '../cadence-records/enrollment-states.rules.ts'
import type { StepType } from '../cadence-records/steps.queries.ts'

/** Reasons for which a person cannot be enrolled, with the text of their error. */
export const skipMessages = {
  not_found: 'The person was not found.',
  cadence_not_active: 'Persons can be enrolled in active cadences only.',
  lead_converted: 'A converted lead cannot be enrolled. Enroll its contact.',
  lead_unqualified: 'An unqualified lead cannot be enrolled.',
  no_email: 'The first step of the cadence is an email, and the person has no email address.',
  opted_out: 'The person has opted out of marketing email.',
  not_opted_in: 'The person has not agreed to marketing email.',
  bounced: 'Emails to the address of the person bounced.',
  processing_restricted: 'The processing of personal data is restricted for this person.',
  already_enrolled: 'The person is already enrolled in the cadence.',
  reenroll_too_early: 'The person was enrolled in the cadence before and cannot be enrolled again yet.',
  in_other_cadence: 'The person is enrolled in as many cadences as the settings allow.',
  no_sender: 'Neither the request nor the record nor the cadence names an active user as the sender.',
} as const
export type SkipCode = keyof typeof skipMessages
export const skipCodes = Object.keys(skipMessages) as [SkipCode, ...SkipCode[]]

export type Eligibility = { senderId: string } | { code: SkipCode }

/** Enrollments of the person in any cadence, found by record and by email address. */
export type EarlierEnrollment = {
  cadence_id: string
  status: EnrollmentStatus
  exit_reason: ExitReason | null
  ended_at: Date | null
  /** True if an email of the enrollment was delivered to the current address of the person. */
  is_delivered: boolean
}

export type EligibilityFacts = {
  cadence: Pick<CadenceRow, 'id' | 'status' | 'owner_id' | 'reenroll_after_days'>
  firstStep: StepType
  requestedSenderId: string | undefined
  activeUserIds: ReadonlySet<string>
  maxLiveCadences: number
  now: Date
}

type PersonFacts = {
  person: EnrollablePerson
  permission: ContactPermission | undefined
  earlier: readonly EarlierEnrollment[]
}

/** Decides whether a person is enrolled, and by which sender. */
export function checkEligibility(facts: EligibilityFacts, { person, permission, earlier }: PersonFacts): Eligibility {
  const { cadence, firstStep, requestedSenderId, activeUserIds } = facts
  if (cadence.status !== 'active') return { code: 'cadence_not_active' }
  if (person.lead_status === 'converted') return { code: 'lead_converted' }
  if (person.lead_status === 'unqualified') return { code: 'lead_unqualified' }
  if (person.email_key === null && isEmail(firstStep)) return { code: 'no_email' }
  if (permission?.allowed === false) return { code: permission.code }
  if (person.processing_restricted) return { code: 'processing_restricted' }
  const code = checkEarlier(facts, earlier)
  if (code) return { code }
  const senderId = [requestedSenderId, person.owner_id, cadence.owner_id].find((id) => id && activeUserIds.has(id))
  return senderId ? { senderId } : { code: 'no_sender' }
}

const isEmail = (type: StepType): boolean => type === 'email_auto' || type === 'email_manual'

function checkEarlier(
  { cadence: { id, reenroll_after_days }, maxLiveCadences, now }: EligibilityFacts,
  earlier: readonly EarlierEnrollment[],
): SkipCode | undefined {
  const ofCadence = earlier.filter(({ cadence_id }) => cadence_id === id)
  if (ofCadence.some(isLiveEnrollment)) return 'already_enrolled'
  const isTooEarly = ({ ended_at }: EarlierEnrollment) =>
    reenroll_after_days === null || ended_at === null || daysLater(ended_at, reenroll_after_days) > now
  if (ofCadence.some((one) => hasReachedPerson(one) && isTooEarly(one))) return 'reenroll_too_early'
  const others = new Set(earlier.filter(isLiveEnrollment).map(({ cadence_id }) => cadence_id))
  return others.size >= maxLiveCadences ? 'in_other_cadence' : undefined
}

const answers: readonly (ExitReason | null)[] = ['replied', 'meeting_booked', 'opted_out']

/** An enrollment that ended by mistake, or before an email reached the current address, does not prevent another one. */
const hasReachedPerson = ({ status, exit_reason, is_delivered }: EarlierEnrollment): boolean =>
  status === 'completed' || answers.includes(exit_reason) || is_delivered
