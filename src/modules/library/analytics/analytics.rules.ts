import { daysLater } from '#platform/clock'
import { toRate } from '#platform/statistics'

export type Decay = 'new' | 'dormant' | 'rising' | 'falling' | 'steady'
type Usage = { publishedAt: Date | null; lastViewedAt: Date | null; views28d: number; viewsPrev28d: number }

const dayMs = 86_400_000

export const trendRate = ({ views28d, viewsPrev28d }: Pick<Usage, 'views28d' | 'viewsPrev28d'>): number =>
  toRate((views28d - viewsPrev28d) / Math.max(viewsPrev28d, 1))

export function classifyDecay(usage: Usage, now: Date): Decay {
  const daysSince = (instant: Date) => (now.getTime() - instant.getTime()) / dayMs
  const trend = trendRate(usage)
  if (usage.publishedAt && daysSince(usage.publishedAt) < 28) return 'new'
  if (!usage.lastViewedAt || daysSince(usage.lastViewedAt) > 90) return 'dormant'
  if (trend >= 0.2 && usage.views28d >= 10) return 'rising'
  if (trend <= -0.3 && usage.viewsPrev28d >= 10) return 'falling'
  return 'steady'
}

type PageReads = { page: number; views: number; average_seconds: number | null }

/** Share of the measured views in which each page was read, until the last page that was. */
export function pageDropoff(reads: readonly PageReads[], measured: number) {
  const byPage = new Map(reads.map((read) => [read.page, read]))
  return Array.from({ length: Math.max(0, ...byPage.keys()) }, (_, index) => {
    const read = byPage.get(index + 1)
    return {
      page: index + 1,
      reach_rate: toRate((read?.views ?? 0) / measured),
      average_seconds: read?.average_seconds == null ? null : toRate(read.average_seconds),
    }
  })
}

type UserViews = { user_id: string; views: number; seconds: number }
type Membership = { user_id: string; id: string; name: string }

/** A user of several teams counts for each of them. */
export function viewsByTeam(users: readonly UserViews[], memberships: readonly Membership[]) {
  const byUser = new Map(users.map((user) => [user.user_id, user]))
  const teams = Map.groupBy(memberships, ({ id }) => id)
  return [...teams.values()]
    .map((members) => {
      const own = members.flatMap(({ user_id }) => byUser.get(user_id) ?? [])
      const sum = (field: 'views' | 'seconds') => own.reduce((total, user) => total + user[field], 0)
      return {
        team_id: members[0]!.id,
        name: members[0]!.name,
        viewers: own.length,
        views: sum('views'),
        seconds: sum('seconds'),
      }
    })
    .toSorted((left, right) => right.views - left.views || (left.team_id < right.team_id ? -1 : 1))
}

type Deal = { id: string; created_at: Date; closed_at: Date | null }
export type InfluenceWindow = { id: string; from: Date; to: Date }

/** Views of buyers count between the creation of a deal and its close or now, and at most `windowDays` before the end. */
export function toInfluenceWindow(
  { id, created_at, closed_at }: Deal,
  { windowDays, now }: { windowDays: number; now: Date },
): InfluenceWindow {
  const to = closed_at ?? now
  const windowStart = daysLater(to, -windowDays)
  return { id, from: windowStart > created_at ? windowStart : created_at, to }
}
