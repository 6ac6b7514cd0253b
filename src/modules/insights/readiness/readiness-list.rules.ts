import { type Level, levels } from './readiness.rules.ts'
import type { ReadinessQuery, ReadinessSummary } from './readiness.schemas.ts'

export type ScoredUser = { id: string; name: string; tenths: number | null; level: Level }
type Membership = { user_id: string; id: string; name: string }

const byName = new Intl.Collator('en')

const toPoints = (tenths: number): number => Math.round(tenths) / 10

const averageOf = (values: readonly number[]): number | null =>
  values.length ? toPoints(values.reduce((sum, value) => sum + value, 0) / values.length) : null

function medianOf(values: readonly number[]): number | null {
  if (!values.length) return null
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return toPoints(sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2)
}

const countLevels = (users: readonly ScoredUser[]) =>
  Object.fromEntries(levels.map((level) => [level, users.filter((user) => user.level === level).length])) as Record<
    Level,
    number
  >

const scoresOf = (users: readonly ScoredUser[]) => users.flatMap(({ tenths }) => tenths ?? [])

/** Teams without one of the users are left out. */
export function summarizeReadiness(users: readonly ScoredUser[], memberships: readonly Membership[]): ReadinessSummary {
  const byId = new Map(users.map((user) => [user.id, user]))
  const ofUsers = memberships.filter(({ user_id }) => byId.has(user_id))
  const teams = [...Map.groupBy(ofUsers, ({ id }) => id).values()].map((members) => {
    const own = members.map(({ user_id }) => byId.get(user_id)!)
    return {
      team: { id: members[0]!.id, name: members[0]!.name },
      members: own.length,
      average: averageOf(scoresOf(own)),
      by_level: countLevels(own),
    }
  })
  const scores = scoresOf(users)
  return {
    average: averageOf(scores),
    median: medianOf(scores),
    scored: scores.length,
    by_level: countLevels(users),
    teams: teams.toSorted((one, other) => byName.compare(one.team.name, other.team.name)),
  }
}

export type ReadinessKey = [isUnknown: number, value: number | string, id: string]

/** Sort keys; users without a score come last in both directions. */
export function keyOf({ id, name, tenths }: ScoredUser, sort: ReadinessQuery['sort']): ReadinessKey {
  if (sort === 'name') return [0, name.toLowerCase(), id]
  return [Number(tenths === null), (tenths ?? 0) * (sort === '-score' ? -1 : 1), id]
}

export function compareReadinessKeys(one: ReadinessKey, other: ReadinessKey): number {
  for (const index of [0, 1, 2] as const) if (one[index] !== other[index]) return one[index] < other[index] ? -1 : 1
  return 0
}
