import { invalid } from '#platform/errors'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import type { SignalSource } from '../../people/scoring/signals.rules.ts'
import { responseTypes } from '../activities/activity.rules.ts'
import type { AssistActivity } from './assist.queries.ts'
import type { DraftEmailRequest, EmailContent, LeadEmailDraft, Purpose, Tone } from './assist.schemas.ts'
import { type AssistContext, isWithinDays, truncate } from './assist-context.rules.ts'
import { emailTemplates } from './fallback-drafts.ts'

/** After this many messages without a reply, the default purpose is `break_up`. */
export const maxUnansweredTouches = 4

export const outboundSources: readonly SignalSource[] = responseTypes.map((type) => ({ type, direction: 'out' }))

/** Opening an email or viewing a page is not a reply. */
export const replySources: readonly SignalSource[] = [
  ...['email', 'call', 'message', 'meeting'].map((type) => ({ type, direction: 'in' })),
  ...['email_replied', 'form_submitted', 'meeting_booked', 'campaign_responded'].map((type) => ({ type })),
  { type: 'call', outcome: 'connected' },
  { type: 'meeting', outcome: 'held' },
]

export function assertLanguageTag(tag: string): void {
  try {
    Intl.getCanonicalLocales(tag)
  } catch {
    throw invalid('body', '/language', 'unknown', '`language` must be a BCP 47 language tag such as de or pt-BR.')
  }
}

export function defaultPurpose({ outboundAt, lastReplyAt, now }: AssistContext): Purpose {
  const [last] = outboundAt
  if (!last) return 'intro'
  const unanswered = outboundAt.filter((at) => lastReplyAt === null || at > lastReplyAt)
  if (unanswered.length >= maxUnansweredTouches) return 'break_up'
  return isWithinDays(last, 30, now) ? 'follow_up' : 're_engage'
}

type TemplateOptions = Pick<DraftEmailRequest, 'tone' | 'length'> & { purpose: Purpose }

export function writeFromTemplate(
  { lead, ownerName, activities: [last] }: AssistContext,
  { purpose, tone, length }: TemplateOptions,
): EmailContent {
  const occasion = last ? occasionOf(last) : null
  const mentionsOccasion = occasion !== null && purpose !== 'break_up'
  const facts = { company: toSingleLine(lead.company ?? 'your team'), occasion }
  const { subject, opening, middle, ending } = emailTemplates[purpose][tone](facts)
  const paragraphs = [
    greeting(lead, tone),
    opening,
    ...(length === 'medium' ? [middle] : []),
    ending,
    closing(ownerName, tone),
  ]
  return {
    subject: truncate(subject, 120),
    body_text: paragraphs.join('\n\n'),
    grounded_on: [
      ...nameFieldsIn(tone).filter((name) => lead[name] !== null),
      ...(lead.company === null ? [] : ['company']),
      ...(ownerName === null ? [] : ['owner']),
      ...(mentionsOccasion ? [last!.id] : []),
    ],
  }
}

/** Returns what the email can thank for; tracked activities such as page views are not mentioned. */
function occasionOf({ type, direction, outcome }: AssistActivity): string | null {
  if (type === 'call' && outcome === 'connected') return 'our call'
  if (type === 'meeting' && outcome === 'held') return 'our meeting'
  if (type === 'email_replied' || (type === 'email' && direction === 'in')) return 'your email'
  if (type === 'message' && direction === 'in') return 'your message'
  if (type === 'form_submitted') return 'getting in touch'
  if (type === 'meeting_booked') return 'booking a meeting'
  return type === 'event_attended' ? 'joining our event' : null
}

const nameFieldsIn = (tone: Tone) => (['first_name', 'last_name'] as const).slice(0, tone === 'formal' ? 2 : 1)

function greeting(lead: LeadRow, tone: Tone): string {
  const [firstName, fullName] = [toSingleLine(lead.first_name ?? ''), toSingleLine(lead.name ?? '')]
  if (tone === 'formal') return fullName ? `Dear ${fullName},` : 'Dear Sir or Madam,'
  if (tone === 'friendly') return firstName ? `Hi ${firstName},` : 'Hi there,'
  return firstName ? `${firstName},` : 'Hello,'
}

const closings: Record<Tone, string> = { friendly: 'Best wishes,', formal: 'Kind regards,', direct: 'Thanks,' }
const closing = (ownerName: string | null, tone: Tone): string =>
  ownerName === null ? closings[tone].replace(',', '') : `${closings[tone]}\n${toSingleLine(ownerName)}`

const toSingleLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export function checkSendable({
  lead,
  settings,
}: AssistContext): Pick<LeadEmailDraft, 'sendable' | 'not_sendable_reason'> {
  const not_sendable_reason = notSendableReason(lead, settings.consent.mode)
  return { sendable: not_sendable_reason === null, not_sendable_reason }
}

function notSendableReason({ email, email_status }: LeadRow, mode: string): LeadEmailDraft['not_sendable_reason'] {
  if (email === null) return 'no_email'
  if (email_status === 'unsubscribed' || email_status === 'complained') return 'opted_out'
  if (email_status === 'bounced') return 'bounced'
  return mode === 'opt_in' && email_status !== 'subscribed' ? 'not_opted_in' : null
}
