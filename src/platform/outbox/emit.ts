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
export async function emit<S extends TSchema>(
  tx: TenantTx,
  event: DomainEvent<S>,
  subject: Subject,
  data: Static<S>,
): Promise<void> {
  const actor = actorOf(tx)
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
  await insertEvent(tx, happened, kept)
  wakeAfterCommit(tx, outboxTopic)
  for (const { handle } of sharingTransaction(event.type)) await handle(tx, happened as Happened<never>)
}

const actorIn = ({ type, userId, apiKeyId, actorUserId }: Actor): EventActor => ({
  type,
  id: type === 'api_key' ? apiKeyId : userId,
  ...(actorUserId && { actor_user_id: actorUserId }),
})

async function insertEvent(tx: TenantTx, { id, type, subject, actor, origin, occurred_at }: Happened, data: string) {
  await tx
    .insertInto('platform.outbox_events')
    .values({
      id,
      type,
      subject_type: subject.type,
      subject_id: subject.id,
      subject_version: subject.version,
      actor: JSON.stringify(actor),
      origin,
      data,
      occurred_at,
    })
    .execute()
}
