import type { PersonActivity } from '#modules/crm'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'

/** An action of a person that can end enrollments. */
export type Reaction = {
  type: 'reply' | 'meeting'
  /** Id of the activity, or of the email that was replied to. */
  id: string
  at: Date
  leadId: string | null
  contactId: string | null
  /** Email addresses of the person in lower case. */
  emailKeys: string[]
}

export const reactionTypes: readonly string[] = ['email', 'email_replied', 'meeting', 'meeting_booked']

/** A reply that was reported as the event of an email is handled with that event. */
export function toReaction(activity: PersonActivity): Reaction | undefined {
  const { id, type, direction, outcome, source, occurred_at, due_at, lead_id, contact_id } = activity
  const person = { id, leadId: lead_id, contactId: contact_id, emailKeys: [] }
  if (type === 'email_replied' || (type === 'email' && direction === 'in'))
    return source === 'system' ? undefined : { ...person, type: 'reply', at: occurred_at }
  if (type === 'meeting_booked') return { ...person, type: 'meeting', at: occurred_at }
  if (type !== 'meeting' || outcome !== 'held') return undefined
  return { ...person, type: 'meeting', at: due_at && due_at > occurred_at ? due_at : occurred_at }
}

/** Actions before the enrollment do not concern it, even if they are logged later. */
export function concernsEnrollment(
  { at, leadId, contactId, emailKeys }: Reaction,
  {
    enrolled_at,
    lead_id,
    contact_id,
    person_email_key,
  }: Pick<EnrollmentRow, 'enrolled_at' | 'lead_id' | 'contact_id' | 'person_email_key'>,
): boolean {
  const isOfRecord = (lead_id !== null && lead_id === leadId) || (contact_id !== null && contact_id === contactId)
  return at >= enrolled_at && (isOfRecord || (person_email_key !== null && emailKeys.includes(person_email_key)))
}
