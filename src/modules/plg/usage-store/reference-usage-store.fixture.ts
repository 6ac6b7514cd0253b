import { addDays, type DateRange, dayInTimezone } from '#platform/calendar'
import type { RollUpGeneration } from './postgres-usage-store.ts'
import type {
  ActivationCounts,
  ActorKind,
  CohortCounts,
  FunnelCounts,
  FunnelQuery,
  UsageEvent,
  UsageStore,
} from './usage-store.ts'

type Options = Omit<RollUpGeneration, 'generation'> & { accountOf(personId: string): string | null }

/** Calculates every number from the events by its definition, with sets and loops instead of roll-ups. */
export function createReferenceUsageStore({ timezone, inactive_events, accountOf }: Options): UsageStore {
  const events: UsageEvent[] = []
  const actorOf = (event: UsageEvent, kind: ActorKind) => (kind === 'person' ? event.person_id : event.account_id)
  const dayOf = ({ occurred_at }: UsageEvent) => dayInTimezone(occurred_at, timezone)
  const isIn = (day: string, { from, to }: DateRange) => day >= from && day <= to
  const ofActor = (actorId: string, kind: ActorKind) => events.filter((event) => actorOf(event, kind) === actorId)

  /** Days per actor on which it was active. */
  function listActivity(kind: ActorKind, name?: string): Map<string, Set<string>> {
    const activity = new Map<string, Set<string>>()
    for (const event of events) {
      const actor = actorOf(event, kind)
      const counts = name === undefined ? !inactive_events.includes(event.name) : event.name === name
      if (actor && counts) activity.set(actor, (activity.get(actor) ?? new Set()).add(dayOf(event)))
    }
    return activity
  }
  const firstOf = (days: Set<string>) => [...days].sort()[0]!
  const isActiveIn = (days: Set<string> | undefined, range: DateRange) =>
    [...(days ?? [])].some((day) => isIn(day, range))

  return {
    async append(added) {
      const known = new Set(events.map(({ event_id }) => event_id))
      const before = new Set(listActorDays())
      const fresh = added.filter(({ event_id }) => !known.has(event_id) && known.add(event_id))
      events.push(...fresh)
      const new_days = listActorDays()
        .filter((key) => !before.has(key))
        .map((key) => JSON.parse(key))
      return { stored: fresh.map(({ seq }) => seq), new_days }
    },
    async listDayNumbers({ kind, range }) {
      const numbers = new Map<string, { active: number; new_actors: number; events: number }>()
      const at = (day: string) => {
        if (!numbers.has(day)) numbers.set(day, { active: 0, new_actors: 0, events: 0 })
        return numbers.get(day)!
      }
      for (const event of events) at(dayOf(event)).events++
      for (const days of listActivity(kind).values()) {
        for (const day of days) at(day).active++
        at(firstOf(days)).new_actors++
      }
      return [...numbers]
        .filter(([day]) => isIn(day, range))
        .map(([day, values]) => ({ day, ...values }))
        .sort((a, b) => (a.day < b.day ? -1 : 1))
    },
    async countDistinctActive({ kind, windows }) {
      const activity = [...listActivity(kind).values()]
      return windows.map((window) => activity.filter((days) => isActiveIn(days, window)).length)
    },
    async countGrowth({ kind, buckets }) {
      const activity = [...listActivity(kind).values()]
      return buckets.slice(1).map((bucket, index) => {
        const active = activity.filter((days) => isActiveIn(days, bucket))
        const before = activity.filter((days) => isActiveIn(days, buckets[index]!))
        return {
          active: active.length,
          new: active.filter((days) => isIn(firstOf(days), bucket)).length,
          retained: active.filter((days) => before.includes(days)).length,
          churned: before.filter((days) => !active.includes(days)).length,
        }
      })
    },
    async listTopEvents({ range, limit }) {
      const names = [...new Set(events.map(({ name }) => name))]
      const top = names.map((name) => {
        const matching = events.filter((event) => event.name === name && isIn(dayOf(event), range))
        const people = new Set(matching.flatMap(({ person_id }) => person_id ?? [])).size
        return { name, events: matching.length, people }
      })
      return top
        .filter((event) => event.events > 0)
        .sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1))
        .slice(0, limit)
    },
    async countFunnel(query) {
      const actors = new Set(events.flatMap((event) => actorOf(event, query.kind) ?? []))
      return countChains(
        [...actors].map((actor) => ofActor(actor, query.kind)),
        query,
      )
    },
    async countRetention({ kind, periods, event }) {
      const [firsts, returns] = [listActivity(kind), listActivity(kind, event)]
      return periods.map((cohort, index): CohortCounts => {
        const members = [...firsts].filter(([, days]) => isIn(firstOf(days), cohort)).map(([actor]) => actor)
        const counts = periods
          .slice(index)
          .map((period) => members.filter((actor) => isActiveIn(returns.get(actor), period)).length)
        return { size: members.length, counts }
      })
    },
    async countActivation({ range, today, events: required, within_days }): Promise<ActivationCounts> {
      const people = [...listActivity('person')]
        .map(([actor, days]) => ({ actor, first: firstOf(days) }))
        .filter(({ first }) => isIn(first, range))
      const eligible = people.filter(({ first }) => addDays(first, within_days) <= addDays(today, -1))
      const after = eligible.flatMap(({ actor, first }) => {
        const done = required.map((name) => firstDayOf(actor, name))
        if (done.some((day) => day === undefined || day > addDays(first, within_days))) return []
        return [(Date.parse([...done].sort().at(-1)!) - Date.parse(first)) / 86_400_000]
      })
      return {
        eligible: eligible.length,
        activated: after.length,
        pending: people.length - eligible.length,
        median_days: medianOf(after),
      }
    },
    async measureActors({ kind, actor_ids, name, range }) {
      const counts = (event: UsageEvent) => (name === null || event.name === name) && isIn(dayOf(event), range)
      return actor_ids.map((actor_id) => {
        const matching = ofActor(actor_id, kind).filter(counts)
        const active = events.filter(counts).flatMap(({ person_id }) => person_id ?? [])
        const people = new Set(active.filter((person) => accountOf(person) === actor_id)).size
        return { actor_id, events: matching.length, days: new Set(matching.map(dayOf)).size, people }
      })
    },
    async listTimeline({ actor_id, kind, limit, before }) {
      const isBefore = ({ occurred_at, seq }: UsageEvent) =>
        !before || occurred_at < before.occurred_at || (+occurred_at === +before.occurred_at && seq < before.seq)
      return ofActor(actor_id, kind)
        .filter(isBefore)
        .sort((a, b) => +b.occurred_at - +a.occurred_at || b.seq - a.seq)
        .slice(0, limit)
        .map((event) => ({ ...event }))
    },
    async eraseProperties(actorId, kind, limit) {
      const found = ofActor(actorId, kind)
        .filter(({ properties }) => properties !== null)
        .slice(0, limit)
      for (const event of found) event.properties = null
      return found.length
    },
  }

  function listActorDays(): string[] {
    const keysOf = (kind: ActorKind) =>
      [...listActivity(kind)].flatMap(([actor_id, days]) =>
        [...days].map((day) => JSON.stringify({ day, actor_id, is_account: kind === 'account' })),
      )
    return [...keysOf('person'), ...keysOf('account')]
  }

  function firstDayOf(actor: string, name: string): string | undefined {
    return ofActor(actor, 'person')
      .filter((event) => event.name === name)
      .map(dayOf)
      .sort()[0]
  }
}

type Chain = { start: number; at: number }
type Reached = { at: number; start: number; previous: number }

/** Follows the newest attempt of each actor from step to step. */
function countChains(histories: UsageEvent[][], query: FunnelQuery): FunnelCounts[] {
  const { steps, since, until, window_seconds } = query
  const windowMs = window_seconds * 1_000
  const actors = histories.map((history) => {
    const chains: (Chain | undefined)[] = []
    const reached: (Reached | undefined)[] = []
    const inOrder = history
      .filter(({ occurred_at }) => occurred_at >= since && occurred_at < until)
      .sort((a, b) => +a.occurred_at - +b.occurred_at || a.seq - b.seq)
    for (const { name, occurred_at } of inOrder) {
      const at = +occurred_at
      for (let step = steps.length - 1; step > 0; step--) {
        const previous = chains[step - 1]
        if (name !== steps[step] || !previous || at - previous.start > windowMs) continue
        chains[step] = { start: previous.start, at }
        reached[step] ??= { at, start: previous.start, previous: previous.at }
      }
      if (name !== steps[0]) continue
      chains[0] = { start: at, at }
      reached[0] ??= { at, start: at, previous: at }
    }
    return { chains, reached }
  })
  return steps.map((_, step) => {
    const arrived = actors.filter(({ reached }) => reached[step])
    const isOpen = (chain: Chain | undefined) => chain !== undefined && chain.start + windowMs > +until
    const stopped = arrived.filter(({ reached }) => step < steps.length - 1 && !reached[step + 1])
    const medianSince = (from: 'previous' | 'start') =>
      step === 0 ? null : medianOf(arrived.map(({ reached }) => (reached[step]!.at - reached[step]![from]) / 1_000))
    return {
      count: arrived.length,
      in_progress: stopped.filter(({ chains }) => isOpen(chains[step])).length,
      median_seconds_from_previous: medianSince('previous'),
      median_seconds_from_start: medianSince('start'),
    }
  })
}

function medianOf(values: readonly number[]): number | null {
  if (!values.length) return null
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)]
  return (sorted[low]! + sorted[high]!) / 2
}
