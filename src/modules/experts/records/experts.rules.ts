import type { UserCard } from '#modules/identity'
import { dayInTimezone, isTimeZone } from '#platform/calendar'
import { invalid } from '#platform/errors'
import type { ExpertRow } from './experts.queries.ts'

/** Viewers cannot answer requests. */
export const canBeExpert = ({ status, role }: Pick<UserCard, 'status' | 'role'>): boolean =>
  status === 'active' && role !== 'viewer'

export type ExpertLoad = { openCount: number; isUserActive: boolean }
type Availability = Pick<ExpertRow, 'is_active' | 'out_until_on' | 'timezone' | 'max_open'>

export const isAway = ({ out_until_on, timezone }: Availability, now: Date): boolean =>
  out_until_on !== null && dayInTimezone(now, timezone) <= out_until_on

export const isAvailable = (expert: Availability, { openCount, isUserActive }: ExpertLoad, now: Date): boolean =>
  expert.is_active && isUserActive && !isAway(expert, now) && openCount < expert.max_open

export type Candidate = Availability & ExpertLoad & Pick<ExpertRow, 'id' | 'user_id' | 'topics' | 'last_assigned_at'>

type RoutedRequest = { topic: string; requester_id: string; declined_by: readonly string[] }

/** The available expert with the lowest load, among equals the one who was assigned longest ago. */
export function chooseExpert<C extends Candidate>(
  candidates: readonly C[],
  { topic, requester_id, declined_by }: RoutedRequest,
  now: Date,
): C | undefined {
  const excluded = new Set([requester_id, ...declined_by])
  return candidates
    .filter(({ user_id, topics }) => !excluded.has(user_id) && topics.includes(topic))
    .filter((candidate) => isAvailable(candidate, candidate, now))
    .toSorted(compareCandidates)[0]
}

function compareCandidates(one: Candidate, other: Candidate): number {
  const byLoad = one.openCount * other.max_open - other.openCount * one.max_open
  const byTime = (one.last_assigned_at?.getTime() ?? 0) - (other.last_assigned_at?.getTime() ?? 0)
  return byLoad || byTime || (one.id < other.id ? -1 : 1)
}

export const ratingAverage = ({ rating_sum, rating_count }: Pick<ExpertRow, 'rating_sum' | 'rating_count'>) =>
  rating_count === 0 ? null : Math.round((rating_sum / rating_count) * 100) / 100

export function assertTimezone(timezone: string | undefined): void {
  if (timezone !== undefined && !isTimeZone(timezone))
    throw invalid('body', '/timezone', 'timezone', '`timezone` must be an IANA time zone, such as Europe/Berlin.')
}
