import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { addBusinessMinutes, type BusinessHours } from '#platform/calendar'
import { daysLater, secondsLater } from '#platform/clock'
import { conflict, invalid, invalidTransition, roleRequired } from '#platform/errors'
import type { RequestRow } from './request-row.ts'
import type { ExpertRequestChanges, Priority, RequestStatus } from './requests.schemas.ts'

const hoursByPriority: Record<Priority, number> = { urgent: 4, high: 8, normal: 24, low: 72 }
const workingDayHours = 24
const routeAgainSeconds = 15 * 60
const closeAfterDays = 7
const reopenDays = 7
const ratingDays = 30
const maxReopenings = 3

const workingDays = (timezone: string): BusinessHours => ({
  timezone,
  days: [1, 2, 3, 4, 5],
  start: '00:00',
  end: '24:00',
  holidays: [],
})

/** Adds hours on a clock that stops on Saturdays and Sundays. */
const addWorkingHours = (from: Date, hours: number, timezone: string): Date =>
  addBusinessMinutes(from, hours * 60, workingDays(timezone))

export const dueAt = (from: Date, priority: Priority, timezone: string): Date =>
  addWorkingHours(from, hoursByPriority[priority], timezone)

type Clocked = Pick<RequestRow, 'clock_started_at' | 'sla_breached_at'>
type Checked = Clocked & Pick<RequestRow, 'status' | 'due_at' | 'expert_reminded_at' | 'is_direct' | 'answered_at'>

/** A breach before the clock started again is history. */
const isBreachRecorded = ({ clock_started_at, sla_breached_at }: Clocked): boolean =>
  sla_breached_at !== null && sla_breached_at >= clock_started_at

/** When the schedule has to look at the request next. `from` is the last step or, after a breach, the due time. */
export function nextCheckAt(request: Checked, { from, timezone }: { from: Date; timezone: string }): Date | null {
  const { status, due_at, expert_reminded_at, is_direct, answered_at } = request
  if (status === 'answered') return daysLater(answered_at!, closeAfterDays)
  if (status === 'open') {
    const again = secondsLater(from, routeAgainSeconds)
    return !isBreachRecorded(request) && due_at < again ? due_at : again
  }
  const aDayLater = () => addWorkingHours(from, workingDayHours, timezone)
  if (status === 'in_progress') return expert_reminded_at === null && due_at > from ? due_at : aDayLater()
  if (status !== 'assigned') return null
  if (!isBreachRecorded(request)) return due_at
  return is_direct ? null : aDayLater()
}

export const isBreached = (request: RequestRow, now: Date): boolean =>
  (request.status === 'open' || request.status === 'assigned') &&
  request.first_response_at === null &&
  !isBreachRecorded(request) &&
  request.due_at <= now

/** A new due time, with which the reminders begin again. */
export const startClock = (now: Date, priority: Priority, timezone: string) => ({
  clock_started_at: now,
  due_at: dueAt(now, priority, timezone),
  expert_reminded_at: null,
})

export type Parties = { isExpert: boolean; isRequester: boolean; isManager: boolean }

export const partiesOf = (
  { requester_id, expert_user_id }: RequestRow,
  { userId, role }: Pick<UserActor, 'userId' | 'role'>,
): Parties => ({
  isExpert: expert_user_id === userId,
  isRequester: requester_id === userId,
  isManager: isManagerOrAdmin(role),
})

const rights: [(keyof ExpertRequestChanges)[], (parties: Parties) => boolean, string][] = [
  [['decline', 'answer', 'answer_content_item_ids'], ({ isExpert }) => isExpert, 'the expert'],
  [['rating', 'rating_comment'], ({ isRequester }) => isRequester, 'the requester'],
  [['priority'], ({ isRequester, isManager }) => isRequester || isManager, 'the requester, managers and admins'],
  [['expert_id'], ({ isManager }) => isManager, 'managers and admins'],
  [['note'], ({ isExpert, isRequester }) => isExpert || isRequester, 'the requester and the expert'],
]

export function assertOwnFields(changes: ExpertRequestChanges, parties: Parties): void {
  for (const [fields, isAllowed, who] of rights) {
    const field = fields.find((name) => changes[name] !== undefined)
    if (field && !isAllowed(parties)) throw roleRequired(`Only ${who} can set \`${field}\`.`)
  }
  const { status } = changes
  if (status && !listOwnStatuses(parties).includes(status))
    throw roleRequired(`The caller cannot set \`status\` to ${status}.`)
}

const listOwnStatuses = ({ isExpert, isRequester, isManager }: Parties): RequestStatus[] => [
  ...(isExpert ? (['in_progress', 'answered'] as const) : []),
  ...(isRequester ? (['in_progress', 'closed', 'cancelled'] as const) : []),
  ...(isManager ? (['cancelled'] as const) : []),
]

export type Step = 'accept' | 'answer' | 'close' | 'reopen' | 'cancel'

/** Steps to a status, with the statuses they start from. */
const steps: Record<Step, { to: RequestStatus; from: readonly RequestStatus[]; by(parties: Parties): boolean }> = {
  accept: { to: 'in_progress', from: ['assigned'], by: ({ isExpert }) => isExpert },
  answer: { to: 'answered', from: ['assigned', 'in_progress'], by: ({ isExpert }) => isExpert },
  close: { to: 'closed', from: ['answered'], by: ({ isRequester }) => isRequester },
  reopen: { to: 'in_progress', from: ['answered', 'closed'], by: ({ isRequester }) => isRequester },
  cancel: {
    to: 'cancelled',
    from: ['open', 'assigned', 'in_progress'],
    by: ({ isRequester, isManager }) => isRequester || isManager,
  },
}

/** The step of the caller to the status. Throws if the request does not allow it now. */
export function stepTo(request: RequestRow, to: RequestStatus, parties: Parties): Step {
  const own = (Object.keys(steps) as Step[]).filter((step) => steps[step].by(parties))
  const possible = own.filter((step) => steps[step].from.includes(request.status))
  const step = possible.find((name) => steps[name].to === to)
  if (step) return step
  const allowed = [...new Set(possible.map((name) => steps[name].to))]
  const { status: from } = request
  throw invalidTransition(`The status of the request cannot change from ${from} to ${to}.`, { from, to, allowed })
}

/** Rejects combinations of fields that would be two steps at once. */
export function assertOneStep({
  status,
  decline,
  expert_id,
  note,
  answer,
  answer_content_item_ids,
}: ExpertRequestChanges) {
  const given = Object.entries({ status, decline, expert_id }).filter(([, value]) => value !== undefined)
  if (given.length > 1)
    throw invalid('body', `/${given[1]![0]}`, 'not_allowed', `Send \`${given[1]![0]}\` in a request of its own.`)
  if (decline && note === undefined) throw invalid('body', '/note', 'required', '`note` is required to decline.')
  if (status === 'answered' && answer === undefined)
    throw invalid('body', '/answer', 'required', '`answer` is required with the status `answered`.')
  const isAnswer = answer !== undefined || answer_content_item_ids !== undefined
  if (isAnswer && given.length && status !== 'answered')
    throw invalid('body', '/answer', 'not_allowed', '`answer` must be sent with the status `answered`.')
}

export function assertCanDecline({ status: from }: RequestRow): void {
  if (from === 'assigned' || from === 'in_progress') return
  const message = `The request is ${from}. Only a request that is assigned or in progress can be declined.`
  throw conflict('invalid_transition', message, { from, to: 'open', allowed: [] })
}

export function assertCanAssign(request: RequestRow): void {
  if (isUnanswered(request)) return
  const { status: from } = request
  const message = `The request is ${from}. Only a request without an answer can be assigned.`
  throw conflict('invalid_transition', message, { from, to: 'assigned', allowed: [] })
}

export const isUnanswered = ({ status }: Pick<RequestRow, 'status'>): boolean =>
  status === 'open' || status === 'assigned' || status === 'in_progress'

export function assertCanReopen(request: RequestRow, note: string | undefined, now: Date): void {
  if (note === undefined) throw invalid('body', '/note', 'required', '`note` is required to reopen a request.')
  if (now > daysLater(request.answered_at!, reopenDays))
    throw conflict('reopen_not_allowed', `A request can be reopened within ${reopenDays} days after its answer.`)
  if (request.reopen_count >= maxReopenings)
    throw conflict('reopen_not_allowed', `The request was reopened ${maxReopenings} times.`)
}

export function assertCanRate(request: RequestRow, now: Date): void {
  if (request.status !== 'answered' && request.status !== 'closed')
    throw conflict('rating_not_allowed', 'Only an answered or closed request can be rated.')
  if (request.closed_at && now > daysLater(request.closed_at, ratingDays))
    throw conflict('rating_not_allowed', `A request can be rated until ${ratingDays} days after it was closed.`)
}
