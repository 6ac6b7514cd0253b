import { secondsLater } from '#platform/clock'
import { conflict, invalid } from '#platform/errors'

export const touchTypes = ['note', 'call', 'email', 'meeting', 'message', 'task'] as const
/** Done by the person; reported by integrations. */
export const signalTypes = [
  'email_opened',
  'email_clicked',
  'email_replied',
  'email_bounced',
  'form_submitted',
  'page_viewed',
  'content_viewed',
  'room_visited',
  'survey_responded',
  'event_registered',
  'event_attended',
  'campaign_responded',
  'meeting_booked',
  'product_used',
] as const
/** Written by the system only. */
const systemTypes = [
  'email_sent',
  'product_qualified',
  'status_changed',
  'stage_changed',
  'owner_changed',
  'grade_changed',
  'converted',
  'merged',
  'enriched',
  'ai_qualified',
  'consent_changed',
  'imported',
] as const
export const activityTypes = [...touchTypes, ...signalTypes, ...systemTypes] as const
export type ActivityType = (typeof activityTypes)[number]
type ActivityDirection = 'in' | 'out' | 'none'

/** Types that count as a response if they are outgoing. */
export const responseTypes: readonly string[] = ['call', 'email', 'meeting', 'message', 'email_sent']

const isTouch = (type: string): boolean => touchTypes.includes(type as 'note')
export const isSignal = (type: string): boolean => signalTypes.includes(type as 'page_viewed')

export function defaultDirection(type: string): ActivityDirection {
  if (responseTypes.includes(type)) return 'out'
  return isSignal(type) ? 'in' : 'none'
}

const outcomes: Partial<Record<string, readonly string[]>> = {
  call: ['connected', 'no_answer', 'voicemail', 'busy', 'wrong_number'],
  meeting: ['scheduled', 'held', 'no_show', 'cancelled'],
}

export function assertOutcome(type: string, outcome: string | null | undefined): void {
  const allowed = outcomes[type]
  if (outcome && allowed && !allowed.includes(outcome))
    throw invalid('body', '/outcome', 'enum', `\`outcome\` of a ${type} must be one of: ${allowed.join(', ')}.`)
}

const clockSkewSeconds = 300

/** Allows for a few minutes of clock skew. */
export function parsePastInstant(text: string, path: string, now: Date): Date {
  const instant = new Date(text)
  if (instant > secondsLater(now, clockSkewSeconds))
    throw invalid(
      'body',
      path,
      'future',
      'The time must not be in the future. Use `due_at` for upcoming meetings and tasks.',
    )
  return instant
}

const maxMetaBytes = 8 * 1024

export function assertMetaFits(meta: object): void {
  if (Buffer.byteLength(JSON.stringify(meta)) > maxMetaBytes)
    throw invalid('body', '/meta', 'too_large', '`meta` must not be larger than 8 kB.')
}

type ActivityFacts = { type: string; direction: string; outcome: string | null; actor_type: string }

/** Automated activities count only if the workspace settings say so. */
export function isResponse({ type, direction, actor_type }: ActivityFacts, countsAutomated: boolean): boolean {
  if (direction !== 'out' || !responseTypes.includes(type)) return false
  return actor_type === 'user' || (actor_type === 'automation' && countsAutomated)
}

export const passiveType = 'email_bounced'

export const isEngagement = ({ type, direction }: Pick<ActivityFacts, 'type' | 'direction'>): boolean =>
  direction === 'in' && type !== passiveType

export function nextLeadStatus(status: string, activity: ActivityFacts): 'contacted' | 'working' | undefined {
  const { type, direction, outcome } = activity
  const hasReplied =
    type === 'email_replied' || (type === 'email' && direction === 'in') || (type === 'meeting' && outcome === 'held')
  if (hasReplied && ['new', 'contacted', 'nurturing'].includes(status)) return 'working'
  return status === 'new' && isResponse(activity, false) ? 'contacted' : undefined
}

export function assertEditable({ type }: { type: string }): void {
  if (!isTouch(type)) throw conflict('conflict', `Activities of type ${type} cannot be changed or deleted.`)
}
