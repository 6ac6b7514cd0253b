import { readEventLimit } from '#modules/identity'
import { addDays, dayInTimezone, startOfDay } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { countAcceptedEvents } from '../ingest/ingest.queries.ts'
import { readUsage, type Usage } from '../states/read-usage.service.ts'
import { listDays } from '../usage-store/periods.rules.ts'
import type { DayNumbers } from '../usage-store/usage-store.ts'
import { countQualifications, countUnlinkedPeople, findLastEventAt } from './dashboard.queries.ts'
import {
  activeOn,
  changeRateOf,
  type DashboardPeriod,
  lastDays,
  planPeriod,
  rateOf,
  sumOf,
  toGrowth,
} from './dashboard.rules.ts'
import type { PeriodKey, UsageDashboard } from './dashboard.schemas.ts'

export async function getUsageDashboard(tx: TenantTx, key: PeriodKey, now: Date): Promise<UsageDashboard> {
  const usage = await readUsage(tx)
  const { store, timezone } = usage
  const today = dayInTimezone(now, timezone)
  const period = planPeriod(key, today)
  const earlier = addDays(today, -period.days)
  const windows = [lastDays(today, 7), lastDays(today, 30), lastDays(earlier, 7), lastDays(earlier, 30)]
  const since = startOfDay(period.range.from, timezone)
  const [numbers, [wau, mau, earlierWau, earlierMau], [accountWau, accountMau], growth, top, activation, pqls, data] =
    await Promise.all([
      store.listDayNumbers({ kind: 'person', range: period.known }),
      store.countDistinctActive({ kind: 'person', windows }),
      store.countDistinctActive({ kind: 'account', windows: windows.slice(0, 2) }),
      store.countGrowth({ kind: 'person', buckets: period.buckets }),
      store.listTopEvents({ range: period.range, limit: 10 }),
      readActivation(usage, period, today),
      countQualifications(tx, { since, until: now }),
      readDataState(tx, usage, now),
    ])
  const total = sumOf(numbers, 'events', period.range)
  return {
    period: { key, from_at: new Date(since), to_at: now, timezone, bucket: period.bucket },
    active: {
      ...activeOn(today, numbers, period.days, { wau: wau!, mau: mau! }),
      previous: activeOn(earlier, numbers, period.days, { wau: earlierWau!, mau: earlierMau! }),
    },
    active_accounts: { wau: accountWau!, mau: accountMau! },
    events: { total, ...compareEvents(numbers, period) },
    new_people: comparePeople(numbers, period),
    activation,
    pqls: { ...pqls, pql_rate: rateOf(pqls.people, mau!) },
    top_events: top.map((event) => ({ ...event, share_rate: event.events / total })),
    growth: toGrowth(period.buckets, growth, today),
    trend: toTrend(numbers, period),
    data,
  }
}

function compareEvents(numbers: readonly DayNumbers[], { complete, previous }: DashboardPeriod) {
  const [complete_total, previous_total] = [sumOf(numbers, 'events', complete), sumOf(numbers, 'events', previous)]
  return { complete_total, previous_total, change_rate: changeRateOf(complete_total, previous_total) }
}

function comparePeople(numbers: readonly DayNumbers[], { range, complete, previous }: DashboardPeriod) {
  const complete_count = sumOf(numbers, 'new_actors', complete)
  const previous_count = sumOf(numbers, 'new_actors', previous)
  const count = sumOf(numbers, 'new_actors', range)
  return { count, complete_count, previous_count, change_rate: changeRateOf(complete_count, previous_count) }
}

function toTrend(numbers: readonly DayNumbers[], { range }: DashboardPeriod) {
  const byDay = new Map(numbers.map((entry) => [entry.day, entry]))
  return listDays(range).map((day_on) => {
    const { active = 0, new_actors = 0, events = 0 } = byDay.get(day_on) ?? {}
    return { day_on, active, new_people: new_actors, events }
  })
}

async function readActivation({ store, settings }: Usage, { range }: DashboardPeriod, today: string) {
  const { activation } = settings
  if (!activation) return null
  const { events, within_days } = activation
  const counts = await store.countActivation({ range, today, events: [...events], within_days })
  return { ...counts, activation_rate: rateOf(counts.activated, counts.eligible) }
}

async function readDataState(
  tx: TenantTx,
  { rebuilding, recalculatedFromOn }: Usage,
  now: Date,
): Promise<UsageDashboard['data']> {
  const monthOn = `${now.toISOString().slice(0, 7)}-01`
  const [last_event_at, unlinked_people, used, limit] = await Promise.all([
    findLastEventAt(tx),
    countUnlinkedPeople(tx),
    countAcceptedEvents(tx, monthOn),
    readEventLimit(tx),
  ])
  const resets_at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  return {
    last_event_at,
    unlinked_people,
    quota: { used, limit, resets_at },
    rebuilding,
    recalculated_from_on: recalculatedFromOn,
  }
}
