import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import type { Actor } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { wakeAfterCommit } from '#platform/jobs'
import { readTraceContext } from '#platform/telemetry'
import {
  assertValidEvent,
  type DomainEvent,
  type EventActor,
  type EventEnvelope,
  listInTransactionSubscriptions,
  subjectTypeOf,
} from './subscriptions.ts'

type Subject = { id: string; version?: number | null }

export const outboxTopic = 'outbox'

const maxDataBytes = 64 * 1024

/** Emits an event with the commit of `tx`. In-transaction subscribers run immediately and can abort the transaction. */
export const emit = <S extends TSchema>(
  tx: TenantTx,
  event: DomainEvent<S>,
  subject: Subject,
  data: Static<S>,
): Promise<void> => emitMany(tx, event, [{ subject, data }])

export async function emitMany<S extends TSchema>(
  tx: TenantTx,
  event: DomainEvent<S>,
  occurrences: readonly { subject: Subject; data: Static<S> }[],
): Promise<void> {
  if (!occurrences.length) return
  const actor = actorOf(tx)
  const newEvents = occurrences.map(({ subject, data }) => createEvent(event, actor, subject, data))
  await insertEvents(tx, event, actor, newEvents)
  wakeAfterCommit(tx, outboxTopic)
  await runInTransactionSubscribers(tx, event, newEvents)
}

/** Tells only in-transaction subscribers of an event about a private record. It is not stored, so no webhook delivers it. */
export const emitPrivately = <S extends TSchema>(
  tx: TenantTx,
  event: DomainEvent<S>,
  subject: Subject,
  data: Static<S>,
): Promise<void> => runInTransactionSubscribers(tx, event, [createEvent(event, actorOf(tx), subject, data)])

async function runInTransactionSubscribers(tx: TenantTx, { type }: DomainEvent, newEvents: readonly NewEvent[]) {
  const envelopes = newEvents.map(({ envelope }) => envelope as EventEnvelope<never>)
  for (const { handle, handleAll } of listInTransactionSubscriptions(tx, type)) {
    if (handleAll) await handleAll(tx, envelopes)
    else for (const envelope of envelopes) await handle(tx, envelope)
  }
}

type NewEvent = { envelope: EventEnvelope; storedData: string }

function createEvent(event: DomainEvent, actor: Actor, subject: Subject, data: unknown): NewEvent {
  const json = JSON.stringify(data)
  const envelope: EventEnvelope = {
    id: newId(),
    type: event.type,
    subject: { type: subjectTypeOf(event), id: subject.id, version: subject.version ?? null },
    actor: toEventActor(actor),
    origin: actor.origin,
    data: JSON.parse(json),
    isTruncated: false,
    occurred_at: new Date(),
  }
  assertValidEvent(event, envelope.data)
  const storedData =
    Buffer.byteLength(json) <= maxDataBytes ? json : JSON.stringify({ truncated: true, id: subject.id })
  return { envelope, storedData }
}

const toEventActor = ({ type, userId, apiKeyId, actorUserId }: Actor): EventActor => ({
  type,
  id: type === 'api_key' ? apiKeyId : userId,
  ...(actorUserId && { actor_user_id: actorUserId }),
})

async function insertEvents(tx: TenantTx, event: DomainEvent, actor: Actor, newEvents: readonly NewEvent[]) {
  const trace = readTraceContext(actor.trace?.requestId)
  await sql`
    insert into platform.outbox_events (type, subject_type, actor, origin, trace, id, subject_id, subject_version, data, occurred_at)
    select ${event.type}, ${subjectTypeOf(event)}, ${JSON.stringify(toEventActor(actor))}::jsonb, ${actor.origin},
      ${trace ? JSON.stringify(trace) : null}::jsonb, event.*
    from unnest(${newEvents.map(({ envelope }) => envelope.id)}::uuid[],
      ${newEvents.map(({ envelope }) => envelope.subject.id)}::text[],
      ${newEvents.map(({ envelope }) => envelope.subject.version)}::integer[],
      ${newEvents.map(({ storedData }) => storedData)}::jsonb[],
      ${newEvents.map(({ envelope }) => envelope.occurred_at)}::timestamptz[]) as event
  `.execute(tx)
}
