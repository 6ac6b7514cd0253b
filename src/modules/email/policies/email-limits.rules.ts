import { isManagerOrAdmin, type Role } from '#platform/access'
import { addDays, addLocalDays, dayInTimezone } from '#platform/calendar'
import type { EmailCounts } from './email-counters.queries.ts'

const managerFactor = 10

export const addressLimitOf = (role: Role | undefined, limit: number): number =>
  role !== undefined && isManagerOrAdmin(role) ? limit * managerFactor : limit

export function nextDayAt(runAt: Date, now: Date, timezone: string): Date {
  const tomorrow = addDays(dayInTimezone(now, timezone), 1)
  const days = (Date.parse(tomorrow) - Date.parse(dayInTimezone(runAt, timezone))) / 86_400_000
  return addLocalDays(runAt, days, timezone)
}

export type PlacedEmail = {
  id: string
  run_at: Date
  lead_id: string | null
  contact_id: string | null
  created_by: string | null
}

export const addressUserOf = ({ lead_id, contact_id, created_by }: PlacedEmail): string | null =>
  lead_id === null && contact_id === null ? created_by : null

type Limits = { remaining: number; addressesLeft: ReadonlyMap<string, number> }

export function chooseEmails<T extends PlacedEmail>(emails: readonly T[], { remaining, addressesLeft }: Limits) {
  const chosen: T[] = []
  const postponed: T[] = []
  const addressCounts = new Map<string, number>()
  for (const email of emails) {
    const userId = addressUserOf(email)
    const count = userId === null ? 0 : (addressCounts.get(userId) ?? 0)
    const isAllowed = userId === null || count < (addressesLeft.get(userId) ?? 0)
    if (!isAllowed || chosen.length >= remaining) {
      postponed.push(email)
      continue
    }
    chosen.push(email)
    if (userId !== null) addressCounts.set(userId, count + 1)
  }
  return { chosen, postponed, addressCounts }
}

export const observedDays = 7

const minEmails = 100
const maxBouncedPercent = 5
/** The rate above which large mail providers reject email. One complaint says little. */
const maxComplainedPercent = 0.3
const minComplaints = 2

export const hasDeliveryProblem = ({ emails, bounced, complained }: EmailCounts): boolean =>
  emails >= minEmails &&
  (bounced * 100 > emails * maxBouncedPercent ||
    (complained >= minComplaints && complained * 100 > emails * maxComplainedPercent))
