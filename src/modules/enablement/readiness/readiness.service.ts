import { Type } from 'typebox'
import { timezoneOf } from '#modules/crm'
import {
  findTeamNames,
  findUserCards,
  isLeadOf,
  listLedUserIds,
  listMemberIds,
  listTeamsOfUsers,
  type UserCard,
} from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { addDays, dayInTimezone } from '#platform/calendar'
import { decodeCursor, type Page, type TenantTx, toPage, toSearchText, toSearchWords, toTotal } from '#platform/db'
import { invalid, notFound, roleRequired } from '#platform/errors'
import { nilUuid } from '#platform/ids'
import { Id } from '#platform/schema'
import { listItemsByIds } from '../content/content.queries.ts'
import { canSee } from '../content/content.rules.ts'
import { readViewer } from '../content/viewer.service.ts'
import { readEnablementSettings } from '../settings/enablement-settings.ts'
import { calculateReadinessOf } from './calculate-readiness.service.ts'
import {
  listHistory,
  listMarkedUserIds,
  listReadinessRows,
  listScores,
  listScoresAt,
  type ReadinessRow,
} from './readiness.queries.ts'
import type { Gap, ReadinessFacts } from './readiness.rules.ts'
import type { ReadinessDetails, ReadinessItem, ReadinessQuery, ReadinessSummary } from './readiness.schemas.ts'
import {
  compareReadinessKeys,
  keyOf,
  type ReadinessKey,
  type ScoredUser,
  summarizeReadiness,
} from './readiness-list.rules.ts'
import { listSellers, toReadinessRow, toScore } from './recompute-readiness.service.ts'

const userPageSize = 5_000
const batchSize = 200
const historyDays = 90
const changeDays = 30
const maxActions = 5

const Key = Type.Tuple([Type.Number(), Type.Union([Type.Number(), Type.String()]), Id])

type Fresh = ReadonlyMap<string, ReadinessRow>

/** Calculates marked users, and those without a score, for this response. */
async function calculateFresh(tx: TenantTx, userIds: readonly string[], now: Date): Promise<Fresh> {
  const fresh = new Map<string, ReadinessRow>()
  for (let start = 0; start < userIds.length; start += batchSize) {
    const calculated = await calculateReadinessOf(tx, userIds.slice(start, start + batchSize), now)
    for (const [id, readiness] of calculated) fresh.set(id, toReadinessRow(id, readiness, now))
  }
  return fresh
}

export async function listSellerReadiness(
  tx: TenantTx,
  actor: UserActor,
  query: ReadinessQuery,
  now: Date,
): Promise<Page<ReadinessItem> & { summary: ReadinessSummary }> {
  const cards = await listVisibleSellers(tx, actor, query)
  const ids = cards.map(({ id }) => id)
  const stored = new Map((await listScores(tx)).map((score) => [score.user_id, score]))
  const marked = await listMarkedUserIds(tx, ids)
  const fresh = await calculateFresh(
    tx,
    ids.filter((id) => marked.has(id) || !stored.has(id)),
    now,
  )
  const users = cards.map(({ id, name }): ScoredUser => {
    const { score_tenths: tenths, level } = fresh.get(id) ?? stored.get(id)!
    return { id, name, tenths, level }
  })
  const found = users.filter(({ level }) => query.level === undefined || level === query.level)
  const memberships = await listTeamsOfUsers(
    tx,
    found.map(({ id }) => id),
  )
  const page = toUserPage(found, query)
  return {
    ...page,
    items: await presentItems(tx, page.items, { fresh, now }),
    summary: summarizeReadiness(
      found,
      memberships.filter(({ id }) => query.team_id === undefined || id === query.team_id),
    ),
  }
}

function toUserPage(users: readonly ScoredUser[], query: ReadinessQuery): Page<ScoredUser> {
  const toKey = (user: ScoredUser) => keyOf(user, query.sort)
  const sorted = users.toSorted((one, other) => compareReadinessKeys(toKey(one), toKey(other)))
  const after = query.cursor && (decodeCursor(query.cursor, Key) as ReadinessKey)
  const rest = after
    ? sorted.filter((user) => compareReadinessKeys(toKey(user), after) > 0)
    : sorted.slice(query.offset)
  return toPage(rest.slice(0, query.limit + 1), toTotal(sorted.length, query), query, toKey)
}

/** Managers and admins see all sellers, leads their teams, others themselves. */
async function listVisibleSellers(
  tx: TenantTx,
  actor: UserActor,
  { team_id, search }: Pick<ReadinessQuery, 'team_id' | 'search'>,
): Promise<UserCard[]> {
  const members = team_id === undefined ? undefined : new Set(await readTeamMembers(tx, team_id))
  const visible = isManagerOrAdmin(actor.role)
    ? undefined
    : new Set([actor.userId, ...(await listLedUserIds(tx, actor.userId))])
  const words = search === undefined ? [] : toSearchWords(search)
  const sellers: UserCard[] = []
  let page: UserCard[]
  do {
    page = await listSellers(tx, sellers.at(-1)?.id ?? nilUuid, userPageSize)
    sellers.push(...page)
  } while (page.length === userPageSize)
  return sellers
    .filter(({ id }) => (!members || members.has(id)) && (!visible || visible.has(id)))
    .filter(({ name }) => words.every((word) => toSearchText(name).includes(word)))
}

async function readTeamMembers(tx: TenantTx, teamId: string): Promise<string[]> {
  if (!(await findTeamNames(tx, [teamId])).has(teamId))
    throw invalid('query', '/team_id', 'unknown_reference', '`team_id` must refer to an existing team.')
  return await listMemberIds(tx, teamId)
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

/** A coach may not see all content that the user has to read, and the audience can be new since the calculation. */
async function filterVisibleGaps(tx: TenantTx, gaps: readonly Gap[]): Promise<(gaps: readonly Gap[]) => Gap[]> {
  const itemIdOf = ({ ref }: Gap) => (ref?.type === 'content' ? ref.id : undefined)
  const ids = [...new Set(gaps.flatMap((gap) => itemIdOf(gap) ?? []))]
  if (!ids.length) return (own) => [...own]
  const viewer = await readViewer(tx)
  const visible = new Set((await listItemsByIds(tx, ids)).filter((item) => canSee(item, viewer)).map(({ id }) => id))
  return (own) => own.filter((gap) => visible.has(itemIdOf(gap) ?? '') || itemIdOf(gap) === undefined)
}

/** The score as the list shows it; null for roles without readiness. */
export async function readScoreOf(tx: TenantTx, userId: string, now: Date): Promise<number | null> {
  const [cards, marked, [stored], { readiness }] = await Promise.all([
    findUserCards(tx, [userId]),
    listMarkedUserIds(tx, [userId]),
    listReadinessRows(tx, [userId]),
    readEnablementSettings(tx),
  ])
  const user = cards.get(userId)
  if (!user || readiness.excluded_roles.includes(user.role)) return null
  if (user.status !== 'active') return toScore(stored?.score_tenths ?? null)
  const row = stored && !marked.has(userId) ? stored : (await calculateFresh(tx, [userId], now)).get(userId)!
  return toScore(row.score_tenths)
}

/** Calculates the score of an active user; a deactivated user keeps the last one. */
export async function getSellerReadiness(
  tx: TenantTx,
  actor: UserActor,
  userId: string,
  now: Date,
): Promise<ReadinessDetails> {
  const user = (await findUserCards(tx, [userId])).get(userId)
  if (!user) throw notFound('user')
  const isCoach = isManagerOrAdmin(actor.role) || (await isLeadOf(tx, actor.userId, userId))
  if (userId !== actor.userId && !isCoach)
    throw roleRequired('Only the user, leads of a team of the user, managers and admins can see this readiness.')
  const since = addDays(dayInTimezone(now, await timezoneOf(tx)), -historyDays)
  const [calculated, [stored], history, { readiness: settings }] = await Promise.all([
    calculateReadinessOf(tx, [userId], now),
    listReadinessRows(tx, [userId]),
    listHistory(tx, userId, since),
    readEnablementSettings(tx),
  ])
  const current = calculated.get(userId)!
  const row = stored && user.status !== 'active' ? stored : toReadinessRow(userId, current, now)
  const gaps = (await filterVisibleGaps(tx, row.gaps))(row.gaps)
  return {
    user: { id: user.id, name: user.name },
    score: toScore(row.score_tenths),
    level: row.level,
    coverage: row.coverage,
    components: describeComponents(row, current.facts, settings),
    gaps,
    next_actions: gaps.slice(0, maxActions),
    history: history.map(({ day, score_tenths }) => ({ day, score: toScore(score_tenths) })),
    computed_at: row.computed_at,
  }
}

type Settings = { weights: Record<keyof ReadinessRow['components'], number>; targets: { sessions: number } }

function describeComponents(
  { components }: Pick<ReadinessRow, 'components'>,
  { enrollments, quizScores, sessions, pitches, items, required, shares }: ReadinessFacts,
  { weights, targets }: Settings,
): ReadinessDetails['components'] {
  const describe = <I>(name: keyof typeof components, inputs: I) => ({
    score: components[name],
    weight: weights[name],
    inputs,
  })
  return {
    learning: describe('learning', {
      enrollments: enrollments.length,
      overdue: enrollments.filter(({ isOverdue }) => isOverdue).length,
      quiz_scores: quizScores.length,
    }),
    coaching: describe('coaching', { sessions: sessions.length, target: targets.sessions }),
    pitch: describe('pitch', {
      assigned: pitches.length,
      submitted: pitches.filter(({ isSubmitted }) => isSubmitted).length,
      overdue: pitches.filter(({ isOverdue, isSubmitted }) => isOverdue && !isSubmitted).length,
    }),
    content: describe('content', {
      items,
      required: required.length,
      required_read: required.filter(({ isRead }) => isRead).length,
      shares,
    }),
  }
}
