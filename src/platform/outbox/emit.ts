import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import type { Actor } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { wakeAfterCommit } from '#platform/jobs'
import { assertAnnounceable, type DomainEvent, subjectTypeOf } from './event.ts'
import { type EventActor, type Happened, sharingTransaction } from './subscriptions.ts'

type Subject = { id: string; version?: number | null }

/** What the relay waits for. */
export const outboxTopic = 'outbox'

const maxDataBytes = 64 * 1024

/** Announces a fact. It is heard of only if `tx` commits; whoever shares the transaction hears of it now and may refuse. */
export const emit = <S extends TSchema>(
  tx: TenantTx,
  event: DomainEvent<S>,
  subject: Subject,
  data: Static<S>,
): Promise<void> => emitEach(tx, event, [{ subject, data }])

/** The same fact of many records, in one statement. */
export async function emitEach<S extends TSchema>(
  tx: TenantTx,
  event: DomainEvent<S>,
  facts: readonly { subject: Subject; data: Static<S> }[],
): Promise<void> {
  if (!facts.length) return
  const actor = actorOf(tx)
  const announced = facts.map(({ subject, data }) => announcementOf(event, actor, subject, data))
  await insertEvents(tx, event, actor, announced)
  wakeAfterCommit(tx, outboxTopic)
  const listeners = sharingTransaction(event.type)
  if (!listeners.length) return
  for (const { happened } of announced)
    for (const { handle } of listeners) await handle(tx, happened as Happened<never>)
}

type Announcement = { happened: Happened; kept: string }

function announcementOf(event: DomainEvent, actor: Actor, subject: Subject, data: unknown): Announcement {
  const written = JSON.stringify(data)
  const happened: Happened = {
    id: newId(),
    type: event.type,
    subject: { type: subjectTypeOf(event), id: subject.id, version: subject.version ?? null },
    actor: actorIn(actor),
    origin: actor.origin,
    data: JSON.parse(written),
    isTruncated: false,
    occurred_at: new Date(),
  }
  assertAnnounceable(event, happened.data)
  const kept =
    Buffer.byteLength(written) <= maxDataBytes ? written : JSON.stringify({ truncated: true, id: subject.id })
  return { happened, kept }
}

const actorIn = ({ type, userId, apiKeyId, actorUserId }: Actor): EventActor => ({
  type,
  id: type === 'api_key' ? apiKeyId : userId,
  ...(actorUserId && { actor_user_id: actorUserId }),
})

async function insertEvents(tx: TenantTx, event: DomainEvent, actor: Actor, announced: readonly Announcement[]) {
  await sql`
    insert into platform.outbox_events (type, subject_type, actor, origin, id, subject_id, subject_version, data, occurred_at)
    select ${event.type}, ${subjectTypeOf(event)}, ${JSON.stringify(actorIn(actor))}::jsonb, ${actor.origin}, event.*
    from unnest(${announced.map(({ happened }) => happened.id)}::uuid[],
      ${announced.map(({ happened }) => happened.subject.id)}::text[],
      ${announced.map(({ happened }) => happened.subject.version)}::integer[],
      ${announced.map(({ kept }) => kept)}::jsonb[],
      ${announced.map(({ happened }) => happened.occurred_at)}::timestamptz[]) as event
  `.execute(tx)
}
