import type { Cache } from '#platform/cache'
import type { DateRange } from '#platform/calendar'
import { newId } from '#platform/ids'
import type { Granularity } from './periods.rules.ts'

export type ActorKind = 'person' | 'account'

/** An accepted event; `seq` orders events of the same millisecond. */
export type UsageEvent = {
  event_id: string
  seq: number
  name: string
  person_id: string | null
  account_id: string | null
  occurred_at: Date
  properties: object | null
}

export type NewActorDay = { actor_id: string; day: string; is_account: boolean }

/** `stored` has the sequence numbers of events that were new. */
export type AppendResult = { stored: number[]; new_days: NewActorDay[] }

export type DayNumbers = { day: string; active: number; new_actors: number; events: number }
/** `churned` were active in the bucket before, but not in this one. */
export type GrowthCounts = { active: number; new: number; retained: number; churned: number }
export type TopEvent = { name: string; events: number; people: number }

export type FunnelQuery = {
  kind: ActorKind
  steps: string[]
  since: Date
  until: Date
  window_seconds: number
}
export type FunnelCounts = {
  count: number
  in_progress: number
  median_seconds_from_previous: number | null
  median_seconds_from_start: number | null
}

/** `periods` are consecutive and end with the current one; each is a cohort. With `event`, only that event counts as a return. */
export type RetentionQuery = { kind: ActorKind; granularity: Granularity; periods: DateRange[]; event?: string }
export type CohortCounts = { size: number; counts: number[] }

/** People whose first active day is in the range and who had `within_days` whole days since then are eligible. */
export type ActivationQuery = { range: DateRange; today: string; events: string[]; within_days: number }
export type ActivationCounts = { eligible: number; activated: number; pending: number; median_days: number | null }

export type MeasureQuery = { kind: ActorKind; actor_ids: string[]; name: string | null; range: DateRange }
export type Measure = { actor_id: string; events: number; days: number; people: number }

export type TimelineQuery = { actor_id: string; kind: ActorKind; limit: number; before?: TimelinePosition }
export type TimelinePosition = { occurred_at: Date; seq: number }
export type TimelineEvent = Omit<UsageEvent, 'properties'> & { properties: object | null }

/** Events of one workspace and the numbers derived from them. Days are local days of the workspace. */
export type UsageStore = {
  append(events: readonly UsageEvent[], received_at: Date): Promise<AppendResult>
  listDayNumbers(query: { kind: ActorKind; range: DateRange }): Promise<DayNumbers[]>
  /** Distinct active actors per range of days; at most six ranges. */
  countDistinctActive(query: { kind: ActorKind; windows: DateRange[] }): Promise<number[]>
  /** One entry per bucket but the first, which is only compared with. Buckets are consecutive. */
  countGrowth(query: { kind: ActorKind; buckets: DateRange[] }): Promise<GrowthCounts[]>
  listTopEvents(query: { range: DateRange; limit: number }): Promise<TopEvent[]>
  countFunnel(query: FunnelQuery): Promise<FunnelCounts[]>
  countRetention(query: RetentionQuery): Promise<CohortCounts[]>
  countActivation(query: ActivationQuery): Promise<ActivationCounts>
  measureActors(query: MeasureQuery): Promise<Measure[]>
  listTimeline(query: TimelineQuery): Promise<TimelineEvent[]>
  /** Deletes the properties of up to `limit` events of an actor and returns how many; the numbers stay. */
  eraseProperties(actor_id: string, kind: ActorKind, limit: number): Promise<number>
}

const [epochName, epochSeconds, numberSeconds] = ['plg:epoch', 120, 30]

/** Caches numbers for 30 seconds, until the next batch of events. */
export async function readCachedNumbers<T>(
  cache: Cache,
  tenantId: string,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  const epoch = (await cache.get<string>(tenantId, epochName)) ?? 'none'
  return await cache.getOrLoad(tenantId, `plg:${epoch}:${name}`, numberSeconds, load)
}

/** Runs after the commit. The epoch is part of all names, and stays longer than the numbers that were cached with another one. */
export const dropCachedNumbers = (cache: Cache, tenantId: string): Promise<void> =>
  cache.set(tenantId, epochName, newId(), epochSeconds)
