import { Type } from 'typebox'
import {
  findTeamNames,
  listLedUserIds,
  listMemberIds,
  listTeamsOfUsers,
  timezoneOf,
  type UserCard,
} from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { addDays, dayInTimezone } from '#platform/calendar'
import { decodeCursor, type Page, type TenantTx, toPage, toSearchText, toSearchWords, toTotal } from '#platform/db'
import { invalid } from '#platform/errors'
import { nilUuid } from '#platform/ids'
import { Id } from '#platform/schema'
import { calculateRows, filterVisibleGaps, readOutdated } from './current-readiness.service.ts'
import {
  findOldestCalculation,
  listReadinessRows,
  listScores,
  listScoresAt,
  type ReadinessRow,
  type Users,
} from './readiness.queries.ts'
import type { ReadinessItem, ReadinessQuery, ReadinessSummary } from './readiness.schemas.ts'
import {
  compareReadinessKeys,
  keyOf,
  type ReadinessKey,
  type ScoredUser,
  summarizeReadiness,
} from './readiness-list.rules.ts'
import { findSellers, listSellers, toScore } from './recompute-readiness.service.ts'

const userPageSize = 10_000
const changeDays = 30

const Key = Type.Tuple([Type.Number(), Type.Union([Type.Number(), Type.String()]), Id])

type Fresh = ReadonlyMap<string, ReadinessRow>
type ReadinessPage = Page<ReadinessItem> & { as_of: Date; summary: ReadinessSummary }

/**
 * Calculates users whose score is not current for this response: all of them if they fit on a page, otherwise those of the page.
 * Then order and summary are those of the stored scores, and `as_of` says since when.
 */
export async function listSellerReadiness(
  tx: TenantTx,
  actor: UserActor,
  query: ReadinessQuery,
  now: Date,
): Promise<ReadinessPage> {
  const visibleIds = await listVisibleIds(tx, actor, query.team_id)
  const [sellers, scores, isScoreOutdated, memberships] = await Promise.all([
    listMatchingSellers(tx, visibleIds, query.search),
    listScores(tx, visibleIds),
    readOutdated(tx, visibleIds, now),
    listTeamsOfUsers(tx, visibleIds),
  ])
  const stored = new Map(scores.map((score) => [score.user_id, score]))
  const isOutdated = ({ id }: { id: string }) => {
    const score = stored.get(id)
    return !score || isScoreOutdated(score)
  }
  const outdatedIds = sellers.filter(isOutdated).map(({ id }) => id)
  const isComplete = outdatedIds.length <= query.limit
  const early = await calculateRows(tx, isComplete ? outdatedIds : [], now)

  const users = sellers.map(({ id, name }): ScoredUser => {
    const score = early.get(id) ?? stored.get(id)
    return { id, name, tenths: score?.score_tenths ?? null, level: score?.level ?? 'unknown' }
  })
  const found = users.filter(({ level }) => query.level === undefined || level === query.level)
  const page = toUserPage(found, query)
  const lateIds = page.items.filter(isOutdated).map(({ id }) => id)
  const fresh = isComplete ? early : await calculateRows(tx, lateIds, now)
  return {
    ...page,
    as_of: (isComplete ? null : await findOldestCalculation(tx, outdatedIds)) ?? now,
    items: await presentItems(tx, page.items, { fresh, now }),
    summary: summarizeReadiness(
      found,
      memberships.filter(({ id }) => query.team_id === undefined || id === query.team_id),
    ),
  }
}

function toUserPage(users: readonly ScoredUser[], query: ReadinessQuery): Page<ScoredUser> {
  const keyed = users.map((user) => ({ user, key: keyOf(user, query.sort) }))
  const sorted = keyed.toSorted((one, other) => compareReadinessKeys(one.key, other.key))
  const after = query.cursor && (decodeCursor(query.cursor, Key) as ReadinessKey)
  const rest = after ? sorted.filter(({ key }) => compareReadinessKeys(key, after) > 0) : sorted.slice(query.offset)
  const page = toPage(rest.slice(0, query.limit + 1), toTotal(sorted.length, query), query, ({ key }) => key)
  return { ...page, items: page.items.map(({ user }) => user) }
}

/** Managers and admins see all sellers (null), leads their teams, others themselves. */
async function listVisibleIds(tx: TenantTx, actor: UserActor, teamId: string | undefined): Promise<Users> {
  const members = teamId === undefined ? null : await readTeamMembers(tx, teamId)
  if (isManagerOrAdmin(actor.role)) return members
  const visible = [...new Set([actor.userId, ...(await listLedUserIds(tx, actor.userId))])]
  return members ? visible.filter((id) => members.includes(id)) : visible
}

async function readTeamMembers(tx: TenantTx, teamId: string): Promise<string[]> {
  if (!(await findTeamNames(tx, [teamId])).has(teamId))
    throw invalid('query', '/team_id', 'unknown_reference', '`team_id` must refer to an existing team.')
  return await listMemberIds(tx, teamId)
}

async function listMatchingSellers(tx: TenantTx, users: Users, search: string | undefined): Promise<UserCard[]> {
  const sellers = users ? await findSellers(tx, users) : await listAllSellers(tx)
  const words = search === undefined ? [] : toSearchWords(search)
  return words.length ? sellers.filter(({ name }) => words.every((word) => toSearchText(name).includes(word))) : sellers
}

async function listAllSellers(tx: TenantTx): Promise<UserCard[]> {
  const sellers: UserCard[] = []
  let page: UserCard[]
  do {
    page = await listSellers(tx, sellers.at(-1)?.id ?? nilUuid, userPageSize)
    sellers.push(...page)
  } while (page.length === userPageSize)
  return sellers
}

async function presentItems(
  tx: TenantTx,
  users: readonly ScoredUser[],
  { fresh, now }: { fresh: Fresh; now: Date },
): Promise<ReadinessItem[]> {
  const ids = users.map(({ id }) => id)
  const day = addDays(dayInTimezone(now, await timezoneOf(tx)), -changeDays)
  const [rows, earlier] = await Promise.all([
    listReadinessRows(
      tx,
      ids.filter((id) => !fresh.has(id)),
    ),
    listScoresAt(tx, ids, day),
  ])
  const rowOf = new Map([...rows.map((row) => [row.user_id, row] as const), ...fresh])
  const gapsOf = await filterVisibleGaps(
    tx,
    [...rowOf.values()].flatMap(({ gaps }) => gaps),
  )
  const earlierOf = new Map(earlier.map(({ user_id, score_tenths }) => [user_id, score_tenths]))
  return users.map(({ id, name }) => {
    const { score_tenths, level, coverage, components, gaps } = rowOf.get(id)!
    const before = earlierOf.get(id) ?? null
    return {
      user: { id, name },
      score: toScore(score_tenths),
      level,
      coverage,
      components,
      change_30d: score_tenths === null || before === null ? null : (score_tenths - before) / 10,
      top_gap: gapsOf(gaps)[0] ?? null,
    }
  })
}
