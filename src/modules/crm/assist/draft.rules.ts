import { invalid } from '#platform/errors'
import { responses } from '../activities/activity.rules.ts'
import type { LeadRow } from '../leads/leads.queries.ts'
import type { SignalSource } from '../scoring/signals.rules.ts'
import type { Moment } from './assist.queries.ts'
import type { Draft, DraftWish, Letter, Purpose, Tone } from './assist.schemas.ts'
import { templates } from './draft-templates.ts'
import { cut, isWithin, type Material } from './material.rules.ts'

/** So often in a row without an answer is often enough. */
export const manyUnanswered = 4

/** How we write and call. */
export const ourTouches: readonly SignalSource[] = responses.map((type) => ({ type, direction: 'out' }))

/** How people answer. Who merely opens a mail or looks at a page has not. */
export const answers: readonly SignalSource[] = [
  ...['email', 'call', 'message', 'meeting'].map((type) => ({ type, direction: 'in' })),
  ...['email_replied', 'form_submitted', 'meeting_booked', 'campaign_responded'].map((type) => ({ type })),
  { type: 'call', outcome: 'connected' },
  { type: 'meeting', outcome: 'held' },
]

export function assertLanguage(tag: string): void {
  try {
    Intl.getCanonicalLocales(tag)
  } catch {
    throw invalid('body', '/language', 'unknown', 'Name a language by its tag of BCP 47, such as de or pt-BR.')
  }
}

/** What a mail is for, unless somebody says so. */
export function usualPurpose({ touchedAt, answeredAt, now }: Material): Purpose {
  const [last] = touchedAt
  if (!last) return 'intro'
  const unanswered = touchedAt.filter((at) => answeredAt === null || at > answeredAt)
  if (unanswered.length >= manyUnanswered) return 'break_up'
  return isWithin(last, 30, now) ? 'follow_up' : 're_engage'
}

type Asked = Pick<DraftWish, 'tone' | 'length'> & { purpose: Purpose }

/** A mail made from a template, filled from the lead, its owner and what happened last. */
export function writeByRules({ lead, owner, moments: [last] }: Material, { purpose, tone, length }: Asked): Letter {
  const about = last ? politenessFor(last) : null
  const isAbout = about !== null && purpose !== 'break_up'
  const facts = { company: oneLine(lead.company ?? 'your team'), about }
  const { subject, opening, more, ask } = templates[purpose][tone](facts)
  const paragraphs = [greeting(lead, tone), opening, ...(length === 'medium' ? [more] : []), ask, farewell(owner, tone)]
  return {
    subject: cut(subject, 120),
    body_text: paragraphs.join('\n\n'),
    grounded_on: [
      ...namesIn(tone).filter((name) => lead[name] !== null),
      ...(lead.company === null ? [] : ['company']),
      ...(owner === null ? [] : ['owner']),
      ...(isAbout ? [last!.id] : []),
    ],
  }
}

/** What they can be thanked for. Nobody likes to read that they were watched. */
function politenessFor({ type, direction, outcome }: Moment): string | null {
  if (type === 'call' && outcome === 'connected') return 'our call'
  if (type === 'meeting' && outcome === 'held') return 'our meeting'
  if (type === 'email_replied' || (type === 'email' && direction === 'in')) return 'your e-mail'
  if (type === 'message' && direction === 'in') return 'your message'
  if (type === 'form_submitted') return 'getting in touch'
  if (type === 'meeting_booked') return 'booking a meeting'
  return type === 'event_attended' ? 'joining our event' : null
}

const namesIn = (tone: Tone) => (['first_name', 'last_name'] as const).slice(0, tone === 'formal' ? 2 : 1)

function greeting(lead: LeadRow, tone: Tone): string {
  const [first, whole] = [oneLine(lead.first_name ?? ''), oneLine(lead.name ?? '')]
  if (tone === 'formal') return whole ? `Dear ${whole},` : 'Dear Sir or Madam,'
  if (tone === 'friendly') return first ? `Hi ${first},` : 'Hi there,'
  return first ? `${first},` : 'Hello,'
}

const farewells: Record<Tone, string> = { friendly: 'Best wishes,', formal: 'Kind regards,', direct: 'Thanks,' }
const farewell = (owner: string | null, tone: Tone): string =>
  owner === null ? farewells[tone].replace(',', '') : `${farewells[tone]}\n${oneLine(owner)}`

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Whether a mail may go to this person, and if not, why. */
export function sendability({ lead, settings }: Material): Pick<Draft, 'sendable' | 'not_sendable_reason'> {
  const not_sendable_reason = objectionTo(lead, settings.consent.mode)
  return { sendable: not_sendable_reason === null, not_sendable_reason }
}

function objectionTo({ email, email_status }: LeadRow, mode: string): Draft['not_sendable_reason'] {
  if (email === null) return 'no_email'
  if (email_status === 'unsubscribed' || email_status === 'complained') return 'opted_out'
  if (email_status === 'bounced') return 'bounced'
  return mode === 'opt_in' && email_status !== 'subscribed' ? 'not_opted_in' : null
}
