import { secondsLater } from '#platform/clock'
import { conflict, invalid } from '#platform/errors'

/** What people do, and log. */
export const touches = ['note', 'call', 'email', 'meeting', 'message', 'task'] as const
/** What the person did; integrations tell us of it. */
export const signals = [
  ...(['email_opened', 'email_clicked', 'email_replied', 'email_bounced', 'form_submitted', 'page_viewed'] as const),
  ...(['content_viewed', 'room_visited', 'survey_responded', 'event_registered', 'event_attended'] as const),
  ...(['campaign_responded', 'meeting_booked', 'product_used'] as const),
] as const
/** What the product noticed itself. Nobody posts these. */
export const systemTypes = [
  ...([
    'email_sent',
    'product_qualified',
    'status_changed',
    'stage_changed',
    'owner_changed',
    'grade_changed',
  ] as const),
  ...(['converted', 'merged', 'enriched', 'ai_qualified', 'consent_changed', 'imported'] as const),
] as const
export const activityTypes = [...touches, ...signals, ...systemTypes] as const
export type ActivityType = (typeof activityTypes)[number]
export type Direction = 'in' | 'out' | 'none'

const reachingOut: readonly string[] = ['call', 'email', 'meeting', 'message']
/** Going out, these answer somebody. */
export const responses: readonly string[] = [...reachingOut, 'email_sent']

export const isTouch = (type: string): boolean => touches.includes(type as 'note')
export const isSignal = (type: string): boolean => signals.includes(type as 'page_viewed')

/** Who reached out to whom, unless it is said. */
export function usualDirection(type: string): Direction {
  if (responses.includes(type)) return 'out'
  return isSignal(type) ? 'in' : 'none'
}

const outcomes: Partial<Record<string, readonly string[]>> = {
  call: ['connected', 'no_answer', 'voicemail', 'busy', 'wrong_number'],
  meeting: ['scheduled', 'held', 'no_show', 'cancelled'],
}

export function assertOutcome(type: string, outcome: string | null | undefined): void {
  const known = outcomes[type]
  if (outcome && known && !known.includes(outcome))
    throw invalid('body', '/outcome', 'enum', `A ${type} ends in one of: ${known.join(', ')}.`)
}

const leewaySeconds = 300

/** What has not happened yet is no activity. Clocks may differ by some minutes. */
export function pastInstant(written: string, path: string, now: Date): Date {
  const instant = instantOf(written, path)
  if (instant > secondsLater(now, leewaySeconds))
    throw invalid('body', path, 'future', 'This is still to come. Meetings and tasks that lie ahead have a due_at.')
  return instant
}

/** A leap second is well formed, and still no instant our clocks know. */
export function instantOf(written: string, path: string): Date {
  const instant = new Date(written)
  if (Number.isNaN(instant.getTime())) throw invalid('body', path, 'format', 'Give an instant that exists.')
  return instant
}

const maxMetaBytes = 8 * 1024

export function assertMetaFits(meta: object): void {
  if (Buffer.byteLength(JSON.stringify(meta)) > maxMetaBytes)
    throw invalid('body', '/meta', 'too_large', 'Keep meta below 8 kB.')
}

type Seen = { type: string; direction: string; outcome: string | null; actor_type: string }

/** Whether somebody was answered by it. What a machine sent counts only where the workspace says so. */
export function isResponse({ type, direction, actor_type }: Seen, countsAutomated: boolean): boolean {
  if (direction !== 'out' || !responses.includes(type)) return false
  return actor_type === 'user' || (actor_type === 'automation' && countsAutomated)
}

/** Whether the person took part, and was not merely spoken to. A mail that comes back tells nothing of them. */
export const isEngagement = ({ type, direction }: Pick<Seen, 'type' | 'direction'>): boolean =>
  direction === 'in' && type !== 'email_bounced'

/** Where an activity leads a lead by itself, if anywhere. */
export function statusAfter(status: string, activity: Seen): 'contacted' | 'working' | undefined {
  const { type, direction, outcome } = activity
  const hasAnswered =
    type === 'email_replied' || (type === 'email' && direction === 'in') || (type === 'meeting' && outcome === 'held')
  if (hasAnswered && ['new', 'contacted', 'nurturing'].includes(status)) return 'working'
  return status === 'new' && isResponse(activity, false) ? 'contacted' : undefined
}

/** What people logged can be put right. What a person did, or the product noticed, stays as it was. */
export function assertEditable({ type }: { type: string }): void {
  if (!isTouch(type))
    throw conflict('conflict', `An entry of the kind ${type} is a record of what happened. It cannot be changed.`)
}
