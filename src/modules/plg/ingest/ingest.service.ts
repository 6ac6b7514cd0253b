import { readEventLimit, readSettings } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { AppError, invalidInput } from '#platform/errors'
import { setConsumerOptIn } from '#platform/outbox'
import { upsertActorTexts } from '../actors/actors.queries.ts'
import { followRecordsConsumer } from '../links/follow-records.subscriptions.ts'
import { readPlgSettings } from '../settings/plg-settings.queries.ts'
import type { PlgSettings } from '../settings/plg-settings.schemas.ts'
import { findState, insertState, lockRollUpsShared, nextIngestSeq } from '../states/states.queries.ts'
import { toRollUpState } from '../states/states.rules.ts'
import { createPostgresUsageStore } from '../usage-store/postgres-usage-store.ts'
import type { AppendResult, UsageEvent } from '../usage-store/usage-store.ts'
import { updateActorRows } from './batch-actors.queries.ts'
import { actorKey, collectActors, type PlacedEvent } from './batch-actors.rules.ts'
import { type ResolvedActors, resolveActors } from './batch-actors.service.ts'
import type { EventError, SentEvent } from './event.rules.ts'
import { placeEvent } from './event-time.rules.ts'
import {
  type ActorMark,
  addAcceptedEvents,
  countAcceptedEvents,
  countEventNames,
  insertActorMarks,
  insertEventNames,
  listKnownNames,
  lockEventNames,
} from './ingest.queries.ts'
import type { IngestReport } from './ingest.schemas.ts'

export const maxEventNames = 2_000

export async function registerEventNames(tx: TenantTx, names: readonly string[], now: Date): Promise<Set<string>> {
  const isKnown = new Set(await listKnownNames(tx, names))
  if (names.every((name) => isKnown.has(name))) return new Set()
  await lockEventNames(tx)
  const [known, count] = await Promise.all([listKnownNames(tx, names), countEventNames(tx)])
  const unknown = names.filter((name) => !known.includes(name))
  const added = unknown.slice(0, Math.max(0, maxEventNames - count))
  if (added.length) await insertEventNames(tx, added, now)
  return new Set(unknown.slice(added.length))
}

/** Events with a valid shape, and the errors of the others. */
export type Batch = {
  events: SentEvent[]
  errors: EventError[]
  isStrict: boolean
  shiftMs: number
  receivedAt: Date
  /** Sample data does not count for the quota and is linked by its own steps. */
  isSample?: true
}

const shards = 8

/** Stores the valid events of a batch with all numbers derived from them. */
export async function storeBatch(tx: TenantTx, batch: Batch): Promise<IngestReport> {
  const { receivedAt } = batch
  const monthOn = `${receivedAt.toISOString().slice(0, 7)}-01`
  const [, seq, state, settings, limit, used] = await Promise.all([
    lockRollUpsShared(tx),
    nextIngestSeq(tx),
    findState(tx),
    readPlgSettings(tx),
    readEventLimit(tx),
    countAcceptedEvents(tx, monthOn),
  ])
  if (limit !== null && used >= limit) throw quotaExceeded(limit, receivedAt)
  const { events, errors } = await admitEvents(tx, batch, settings)
  if (errors.length && (batch.isStrict || !events.length)) throw invalidInput(errors.map(toInputError))

  const actors = await resolveActors(tx, collectActors(events))
  const rows = events.map((event, position) => toUsageEvent(event, seq + position, actors.ids))
  const store = createPostgresUsageStore(tx, toRollUpState(state ?? (await createState(tx, settings))))
  const appended = await store.append(rows, receivedAt)
  const accepted = appended.stored.length
  if (accepted) {
    await Promise.all([updateActorRows(tx, actors.updates), upsertActorTexts(tx, actors.texts)])
    if (!batch.isSample)
      await Promise.all([
        addAcceptedEvents(tx, { monthOn, shard: (seq / 1_024) % shards, accepted }),
        insertActorMarks(tx, listMarks(rows, appended, actors, { seq, countedNames: listCountedNames(settings) })),
      ])
  }
  return {
    accepted,
    duplicates: events.length - accepted,
    rejected: errors.length,
    errors,
    quota: { used: used + accepted, limit },
  }
}

async function createState(tx: TenantTx, { inactive_events }: PlgSettings) {
  const { timezone } = await readSettings(tx, 'general')
  await setConsumerOptIn(tx, followRecordsConsumer, true)
  return await insertState(tx, { timezone, inactive_events })
}

/** Corrects the times of the events and rejects those outside the accepted range and those with too many names. */
async function admitEvents(tx: TenantTx, batch: Batch, { accept_past_days: acceptPastDays }: PlgSettings) {
  const errors = [...batch.errors]
  const placed: PlacedEvent[] = []
  for (const event of batch.events) {
    const time = placeEvent(event, { ...batch, acceptPastDays })
    if (typeof time === 'number') placed.push(time === event.occurred_at ? event : { ...event, occurred_at: time })
    else errors.push(time)
  }
  const names = [...new Set(placed.map(({ name }) => name))]
  const excess = names.length ? await registerEventNames(tx, names, batch.receivedAt) : new Set<string>()
  const events = excess.size ? placed.filter(({ name }) => !excess.has(name)) : placed
  if (excess.size)
    for (const { index, event_id, name } of placed) if (excess.has(name)) errors.push(tooManyNames(index, event_id))
  return { events, errors: errors.sort((a, b) => a.index - b.index) }
}

const tooManyNames = (index: number, event_id: string): EventError => ({
  index,
  event_id,
  path: '/name',
  code: 'too_many_names',
  message: `\`name\` must be one of the first ${maxEventNames.toLocaleString('en')} names that the workspace has used.`,
})

function toUsageEvent(event: PlacedEvent, seq: number, ids: ReadonlyMap<string, string>): UsageEvent {
  const { event_id, name, user_ref, account_ref, occurred_at, properties } = event
  return {
    event_id,
    seq,
    name,
    person_id: user_ref === null ? null : ids.get(actorKey(false, user_ref))!,
    account_id: account_ref === null ? null : ids.get(actorKey(true, account_ref))!,
    occurred_at: new Date(occurred_at),
    properties,
  }
}

/** Names of the events that rules count; null stands for all events. */
const listCountedNames = ({ pql_rules }: PlgSettings): Set<string | null> =>
  new Set(pql_rules.flatMap(({ all }) => all.map(({ event }) => event)))

type MarkOptions = { seq: number; countedNames: ReadonlySet<string | null> }

/** Marks actors to link and to evaluate: those that are new, changed, active on a new day or did an event that a rule counts. */
function listMarks(
  rows: readonly UsageEvent[],
  { stored, new_days }: AppendResult,
  { changedIds }: ResolvedActors,
  { seq, countedNames }: MarkOptions,
): ActorMark[] {
  const marks = new Map<string, ActorMark>()
  const markOf = (actor_id: string) => {
    const mark = marks.get(actor_id) ?? { actor_id, ingest_seq: seq, active_on: [] }
    marks.set(actor_id, mark)
    return mark
  }
  for (const id of changedIds) markOf(id)
  for (const { actor_id, day } of new_days) markOf(actor_id).active_on.push(day)
  if (countedNames.size) {
    const isStored = new Set(stored)
    const isCounted = (name: string) => countedNames.has(null) || countedNames.has(name)
    for (const { seq: own, name, person_id, account_id } of rows)
      if (isStored.has(own) && isCounted(name)) for (const id of [person_id, account_id]) if (id) markOf(id)
  }
  return [...marks.values()]
}

const toInputError = ({ index, path, code, message }: EventError) => ({
  in: 'body' as const,
  path: `/events/${index}${path}`,
  code,
  message,
})

function quotaExceeded(limit: number, now: Date): AppError {
  const resetsAt = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  const seconds = Math.max(1, Math.ceil((resetsAt - now.getTime()) / 1_000))
  return new AppError(
    429,
    'quota_exceeded',
    `The workspace has used its ${limit.toLocaleString('en')} events of this month. Ask the operator for a higher limit.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}
