import { addDays } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import {
  countActivationRows,
  countActorMasks,
  countNewActors,
  countPeopleOfAccounts,
  listDayNumberRows,
  listTopEventRows,
  measureActorRows,
} from './activity.queries.ts'
import { type CountedFrom, listDayStarts } from './day-starts.rules.ts'
import { countFunnelRows } from './funnel.queries.ts'
import { countGrowthOf, countPerWindow } from './masks.rules.ts'
import { toMonthBits } from './periods.rules.ts'
import { listRetentionCells } from './retention.queries.ts'
import { toCohorts } from './retention.rules.ts'
import { addRollUps, appendEvents } from './roll-ups.queries.ts'
import { clearProperties, listTimelineRows } from './timeline.queries.ts'
import type { ActorKind, AppendResult, UsageEvent, UsageStore } from './usage-store.ts'

/** A generation of roll-ups and what its days and active actors depend on. */
export type RollUpGeneration = {
  generation: number
  timezone: string
  inactive_events: string[]
  counted: CountedFrom | null
}

export type RollUpState = RollUpGeneration & { next: RollUpGeneration | null }

const shards = 8
const isAccount = (kind: ActorKind) => kind === 'account'

/** Keeps events and roll-ups in PostgreSQL and works in the given transaction. */
export function createPostgresUsageStore(tx: TenantTx, state: RollUpState): UsageStore {
  const { generation } = state
  const ofKind = (kind: ActorKind) => ({ generation, is_account: isAccount(kind) })
  return {
    append: (events, receivedAt) => append(tx, state, events, receivedAt),
    listDayNumbers: ({ kind, range }) => listDayNumberRows(tx, { ...ofKind(kind), ...range }),
    async countDistinctActive({ kind, windows }) {
      const masks = await countActorMasks(tx, { ...ofKind(kind), months: toMonthBits(windows) })
      return countPerWindow(masks, windows.length)
    },
    async countGrowth({ kind, buckets }) {
      const [masks, added] = await Promise.all([
        countActorMasks(tx, { ...ofKind(kind), months: toMonthBits(buckets) }),
        countNewActors(tx, { ...ofKind(kind), windows: buckets.slice(1) }),
      ])
      return countGrowthOf(masks, added)
    },
    listTopEvents: ({ range, limit }) => listTopEventRows(tx, { generation, ...range, limit }),
    countFunnel: (query) => countFunnelRows(tx, query),
    async countRetention({ kind, ...query }) {
      const cells = await listRetentionCells(tx, { ...ofKind(kind), ...query })
      return toCohorts(cells, query.periods.length)
    },
    countActivation: ({ range, today, events, within_days }) =>
      countActivationRows(tx, {
        generation,
        events,
        within_days,
        ...range,
        last_eligible_on: addDays(today, -1 - within_days),
      }),
    async measureActors({ kind, actor_ids, name, range }) {
      const input = { generation, actor_ids, name, ...range }
      const [measures, people] = await Promise.all([
        measureActorRows(tx, input),
        isAccount(kind) ? countPeopleOfAccounts(tx, input) : [],
      ])
      const measureOf = new Map(measures.map((row) => [row.actor_id, row]))
      const peopleOf = new Map(people.map((row) => [row.actor_id, row.people]))
      return actor_ids.map((id) => ({ ...measureOf.get(id)!, people: peopleOf.get(id) ?? 0 }))
    },
    listTimeline: (query) => listTimelineRows(tx, query),
    eraseProperties: (actorId, kind, limit) => clearProperties(tx, actorId, kind, limit),
  }
}

async function append(
  tx: TenantTx,
  { next, ...current }: RollUpState,
  sent: readonly UsageEvent[],
  receivedAt: Date,
): Promise<AppendResult> {
  const known = new Set<string>()
  const events = sent.filter(({ event_id }) => known.size < known.add(event_id).size)
  if (!events.length) return { stored: [], new_days: [] }
  const shard = chooseShard()
  const input = { ...toRollUpInput(current, events, shard), rows: JSON.stringify(events), received_at: receivedAt }
  const [appended] = await appendEvents(tx, input)
  const stored = appended?.stored ?? []
  if (next && stored.length) {
    const isStored = new Set(stored)
    const added = events.filter(({ seq }) => isStored.has(seq))
    await appendToNext(tx, { current, next, shard }, added)
  }
  return { stored, new_days: appended?.new_days ?? [] }
}

type Generations = { current: RollUpGeneration; next: RollUpGeneration; shard: number }

/** Days that the rebuild copies get the same rows in both generations, so that copying a row of the current one loses nothing. */
async function appendToNext(tx: TenantTx, { current, next, shard }: Generations, events: readonly UsageEvent[]) {
  const isCopied = ({ occurred_at }: UsageEvent) => next.counted !== null && occurred_at < next.counted.counted_from
  const parts: [RollUpGeneration, UsageEvent[]][] = [
    [{ ...current, generation: next.generation }, events.filter(isCopied)],
    [next, events.filter((event) => !isCopied(event))],
  ]
  for (const [generation, added] of parts) {
    if (!added.length) continue
    const keys = added.map(({ occurred_at, event_id }) => ({ occurred_at, event_id }))
    await addRollUps(tx, { ...toRollUpInput(generation, added, shard), stored_events: JSON.stringify(keys) })
  }
}

const chooseShard = () => Math.floor(Math.random() * shards)

export function toRollUpInput(
  { generation, timezone, inactive_events, counted }: RollUpGeneration,
  events: readonly { occurred_at: Date }[],
  shard = chooseShard(),
) {
  return { generation, inactive_events, shard, ...listDayStarts(events, timezone, counted) }
}
