import { readCoachingFacts } from '#modules/coaching'
import { countClosedDeals, listDealSegments } from '#modules/crm'
import { readExpertFacts } from '#modules/experts'
import { listActiveUserCards, listTeamsOfUsers, readSettings, timezoneOf, type UserCard } from '#modules/identity'
import { type LearningFacts, listLearningFacts } from '#modules/learning'
import { countLibraryViews, isStale, listPublishedItems, listSearchMisses, searchContent } from '#modules/library'
import { countOverduePitches, readPitchFacts } from '#modules/pitches'
import { countPlacements, listRoomFacts, type RoomFacts } from '#modules/rooms'
import { dayInTimezone } from '#platform/calendar'
import { daysLater } from '#platform/clock'
import type { ComparedPeriod, TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { rateOf } from '#platform/statistics'
import { readReadinessSettings } from '../readiness/readiness-settings.ts'
import { sumItemOutcomes } from './influences.queries.ts'
import { countUsedItems, listReadinessScores, listStaleItems } from './insights.queries.ts'
import {
  averageOf,
  type ContentWinFacts,
  findCoverageGaps,
  minClosedDeals,
  minOpenDeals,
  rankContentWins,
  trendOf,
} from './insights.rules.ts'
import type { Insights } from './insights.schemas.ts'

const maxStale = 20
const maxSearchGaps = 20
const minMisses = 3
const userPageSize = 5_000

/** Insights without what depends on the reader: titles of content and names of owners. */
export type InsightFacts = Omit<Insights, 'content_wins' | 'stale_content' | 'as_of'> & {
  content_wins: ContentWinFacts[]
  stale_content: {
    item_id: string
    owner_id: string | null
    days_overdue: number
    heat: number
    in_active_rooms: number
  }[]
}

export const toPeriod = (days: number, now: Date): ComparedPeriod => ({
  from: daysLater(now, -days),
  to: now,
  previousFrom: daysLater(now, -2 * days),
})

type Members = { memberIds: readonly string[]; teamId: string }
type Scope = { days: number; now: Date; team?: Members | undefined }

export async function calculateInsights(tx: TenantTx, { days, now, team }: Scope): Promise<InsightFacts> {
  const period = toPeriod(days, now)
  const [{ currency }, timezone] = await Promise.all([readSettings(tx, 'general'), timezoneOf(tx)])
  const today = dayInTimezone(now, timezone)
  const [outcomes, totals, segments] = await Promise.all([
    sumItemOutcomes(tx, period.from, minClosedDeals),
    countClosedDeals(tx, period.from),
    listDealSegments(tx, minOpenDeals),
  ])
  const people = await readPeople(tx, period, { today, team })
  const items = (await listPublishedItems(tx)).map((item) => ({ ...item, isStale: isStale(item, now) }))
  return {
    days,
    team_id: team?.teamId ?? null,
    period: { from: period.from, to: period.to },
    content_wins: rankContentWins(outcomes, totals, currency),
    adoption: await readAdoption(tx, period, people),
    coverage_gaps: findCoverageGaps(segments, items, currency),
    search_gaps: await findSearchGaps(tx, period, new Set(items.map(({ id }) => id))),
    stale_content: (await listStaleItems(tx, now, maxStale)).map(({ id, next_review_at, ...item }) => ({
      ...item,
      item_id: id,
      days_overdue: Math.floor((now.getTime() - next_review_at.getTime()) / 86_400_000),
    })),
    usage_by_team: toTeamUsage(people),
    ...(await readActivity(tx, period, { today, people, team })),
  }
}

type UserCount = { user_id: string; count: number }

type People = {
  sellerIds: ReadonlySet<string>
  memberships: readonly { user_id: string; id: string; name: string }[]
  views: readonly UserCount[]
  placements: readonly UserCount[]
  rooms: readonly RoomFacts[]
  learning: readonly LearningFacts[]
  readiness: ReadonlyMap<string, number>
}

async function readPeople(
  tx: TenantTx,
  period: ComparedPeriod,
  { today, team }: { today: string; team: Members | undefined },
): Promise<People> {
  const cards: UserCard[] = []
  let page: UserCard[]
  do {
    page = await listActiveUserCards(tx, {
      withoutRoles: ['viewer'],
      after: cards.at(-1)?.id ?? nilUuid,
      limit: userPageSize,
    })
    cards.push(...page)
  } while (page.length === userPageSize)
  const members = team && new Set(team.memberIds)
  const sellerIds = new Set(cards.map(({ id }) => id).filter((id) => !members || members.has(id)))
  const memberships = (await listTeamsOfUsers(tx, [...sellerIds])).filter(({ id }) => !team || id === team.teamId)
  const isCounted = (id: string | null) => !members || (id !== null && members.has(id))
  const { excluded_roles } = await readReadinessSettings(tx)
  const scoredIds = new Set(cards.filter(({ role }) => !excluded_roles.includes(role)).map(({ id }) => id))
  const [views, placements, rooms, learning, readiness] = await Promise.all([
    countLibraryViews(tx, period),
    countPlacements(tx, period),
    listRoomFacts(tx, period),
    listLearningFacts(tx, period, today),
    listReadinessScores(tx),
  ])
  return {
    sellerIds,
    memberships,
    views: views.filter(({ user_id }) => isCounted(user_id)),
    placements: placements.filter(({ user_id }) => isCounted(user_id)),
    rooms: rooms.filter(({ owner_id }) => isCounted(owner_id)),
    learning: learning.filter(({ user_id }) => isCounted(user_id)),
    readiness: new Map(
      readiness.filter(({ user_id }) => scoredIds.has(user_id)).map(({ user_id, score }) => [user_id, score]),
    ),
  }
}

const sum = <T>(rows: readonly T[], toNumber: (row: T) => number): number =>
  rows.reduce((total, row) => total + toNumber(row), 0)

async function readAdoption(tx: TenantTx, period: ComparedPeriod, people: People): Promise<Insights['adoption']> {
  const { published, used } = await countUsedItems(tx, period)
  const { sellerIds, views, placements, rooms } = people
  const created = rooms.filter(({ created_at }) => created_at >= period.from)
  const active = new Set([
    ...[...views, ...placements].map(({ user_id }) => user_id),
    ...created.map(({ owner_id }) => owner_id),
  ])
  return {
    published,
    used,
    adoption_rate: rateOf(used, published),
    active_sellers: [...sellerIds].filter((id) => active.has(id)).length,
    sellers: sellerIds.size,
    rooms_created: created.length,
    rooms_with_visits: rooms.filter(({ visits }) => visits > 0).length,
    external_seconds: sum(rooms, ({ seconds }) => seconds),
  }
}

/** A search that finds published content by now is not a gap. */
async function findSearchGaps(
  tx: TenantTx,
  { from }: ComparedPeriod,
  publishedIds: ReadonlySet<string>,
): Promise<Insights['search_gaps']> {
  const misses = await listSearchMisses(tx, { minCount: minMisses, since: from, limit: 2 * maxSearchGaps })
  const gaps = []
  for (const miss of misses) {
    const matches = await searchContent(tx, miss.query)
    if (!matches.some(({ item_id }) => publishedIds.has(item_id))) gaps.push(miss)
  }
  return gaps.slice(0, maxSearchGaps)
}

function toTeamUsage({
  memberships,
  views,
  placements,
  rooms,
  learning,
  readiness,
}: People): Insights['usage_by_team'] {
  const countsOf = (counts: readonly UserCount[]) => new Map(counts.map(({ user_id, count }) => [user_id, count]))
  const [viewsOf, placementsOf] = [countsOf(views), countsOf(placements)]
  const roomsOf = Map.groupBy(rooms, ({ owner_id }) => owner_id)
  const learningOf = new Map(learning.map((facts) => [facts.user_id, facts]))
  return [...Map.groupBy(memberships, ({ id }) => id).values()]
    .map((members) => {
      const ids = members.map(({ user_id }) => user_id)
      const enrollments = ids.flatMap((id) => learningOf.get(id) ?? [])
      const scores = ids.flatMap((id) => readiness.get(id) ?? [])
      const total = sum(enrollments, (facts) => facts.total)
      return {
        team: { id: members[0]!.id, name: members[0]!.name },
        members: ids.length,
        active_users: ids.filter((id) => viewsOf.has(id) || placementsOf.has(id)).length,
        views: sum(ids, (id) => viewsOf.get(id) ?? 0),
        room_placements: sum(ids, (id) => placementsOf.get(id) ?? 0),
        external_visits: sum(ids, (id) => sum(roomsOf.get(id) ?? [], ({ visits }) => visits)),
        learning_completion_rate: rateOf(
          sum(enrollments, ({ all_completed }) => all_completed),
          total,
        ),
        average_readiness: averageOf(
          sum(scores, (score) => score),
          scores.length,
        ),
      }
    })
    .toSorted((one, other) => other.views - one.views || one.team.name.localeCompare(other.team.name, 'en'))
}

type ActivityContext = { today: string; people: People; team: Members | undefined }

async function readActivity(
  tx: TenantTx,
  period: ComparedPeriod,
  { today, people: { rooms, learning }, team }: ActivityContext,
): Promise<Pick<Insights, 'rooms' | 'learning' | 'coaching' | 'pitch' | 'experts'>> {
  const users = team?.memberIds ?? null
  const [coaching, pitch, overdue, experts] = await Promise.all([
    readCoachingFacts(tx, period, users),
    readPitchFacts(tx, period, users),
    countOverduePitches(tx, today, users),
    readExpertFacts(tx, period, users),
  ])
  const created = rooms.filter(({ created_at }) => created_at >= period.from).length
  const earlier = rooms.filter(({ created_at }) => created_at < period.from && created_at >= period.previousFrom).length
  const completed = sum(learning, (facts) => facts.completed)
  const inBand = (band: string) =>
    rooms.filter(({ status, engagement_band }) => status === 'active' && (engagement_band ?? 'cold') === band).length
  return {
    rooms: {
      created,
      ...trendOf(created, earlier),
      with_visits: rooms.filter(({ visits }) => visits > 0).length,
      external_visits: sum(rooms, ({ visits }) => visits),
      external_seconds: sum(rooms, ({ seconds }) => seconds),
      by_band: { hot: inBand('hot'), warm: inBand('warm'), cool: inBand('cool'), cold: inBand('cold') },
    },
    learning: {
      completed,
      ...trendOf(
        completed,
        sum(learning, (facts) => facts.previous),
      ),
      open: sum(learning, (facts) => facts.open),
      overdue: sum(learning, (facts) => facts.overdue),
      failed: sum(learning, (facts) => facts.failed),
      completion_rate: rateOf(
        sum(learning, (facts) => facts.all_completed),
        sum(learning, (facts) => facts.total),
      ),
      average_score: averageOf(
        sum(learning, (facts) => facts.score_sum),
        sum(learning, (facts) => facts.scored),
      ),
    },
    coaching: {
      sessions: coaching.count,
      ...trendOf(coaching.count, coaching.previous),
      average_score: averageOf(coaching.score_sum, coaching.scored),
      pass_rate: rateOf(coaching.passed, coaching.judged),
    },
    pitch: {
      submissions: pitch.count,
      ...trendOf(pitch.count, pitch.previous),
      average_score: averageOf(pitch.score_sum, pitch.scored),
      overdue,
    },
    experts: {
      requests: experts.count,
      ...trendOf(experts.count, experts.previous),
      answered: experts.answered,
      breach_rate: rateOf(experts.breached, experts.count),
      average_rating: averageOf(experts.rating_sum, experts.rated),
    },
  }
}
