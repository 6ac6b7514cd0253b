import type { LeadRow } from '../leads/leads.queries.ts'
import type { Judgement } from './assist.schemas.ts'
import { isWithin } from './material.rules.ts'

type NextAction = Judgement['next_best_action']

/** The one thing to do next with a lead. */
export function nextBestAction(lead: LeadRow, now: Date): NextAction {
  if (lead.email === null && lead.phone === null)
    return { action: 'find_contact_details', why: 'There is neither an e-mail address nor a phone number.' }
  if (lead.status === 'new' && lead.first_responded_at === null)
    return { action: 'call_now', why: `Nobody has answered this lead yet.${objection(lead)}` }
  if (isWithin(lead.last_engaged_at, 7, now))
    return { action: 'book_meeting', why: 'They did something of their own accord within the last seven days.' }
  if (!isWithin(lead.last_activity_at ?? lead.created_at, 30, now))
    return { action: 're_engage', why: 'Nothing has happened for 30 days.' }
  return { action: 'follow_up', why: 'The conversation is under way, and the next step is ours.' }
}

function objection({ call_status, phone }: LeadRow): string {
  if (call_status === 'do_not_call') return ' They do not want to be called, so write to them.'
  return phone === null ? ' There is no phone number, so write to them.' : ''
}
