import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import type { LeadAssessment } from './assist.schemas.ts'
import { isWithinDays } from './assist-context.rules.ts'

type NextAction = LeadAssessment['next_best_action']

export function nextBestAction(lead: LeadRow, now: Date): NextAction {
  if (lead.email === null && lead.phone === null)
    return { action: 'find_contact_details', why: 'The lead has no email address and no phone number.' }
  if (lead.status === 'new' && lead.first_responded_at === null)
    return { action: 'call_now', why: `The lead has not received a response yet.${callHint(lead)}` }
  if (isWithinDays(lead.last_engaged_at, 7, now))
    return { action: 'book_meeting', why: 'The lead was active within the last seven days.' }
  if (!isWithinDays(lead.last_activity_at ?? lead.created_at, 30, now))
    return { action: 're_engage', why: 'There was no activity for 30 days.' }
  return { action: 'follow_up', why: 'The conversation has started, and the next step is yours.' }
}

function callHint({ call_status, phone }: LeadRow): string {
  if (call_status === 'do_not_call') return ' They do not want to be called, so write to them.'
  return phone === null ? ' There is no phone number, so write to them.' : ''
}
