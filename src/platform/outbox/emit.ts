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

type Fact<S extends TSchema> = { subject: Subject; data: Static<S> }

/** The same fact of many records, in one statement. */
export async function emitEach<S extends TSchema>(
  tx: TenantTx,
  event: DomainEvent<S>,
  facts: readonly Fact<S>[],
): Promise<void> {
  if (!facts.length) return
  const announced = facts.map((fact) => happening(actorOf(tx), event, fact))
  await insertEvents(tx, announced)
  wakeAfterCommit(tx, outboxTopic)
  for (const { happened } of announced)
    for (const { handle } of sharingTransaction(event.type)) await handle(tx, happened as Happened<never>)
}

type Announced = { happened: Happened; kept: string }

function happening<S extends TSchema>(actor: Actor, event: DomainEvent<S>, { subject, data }: Fact<S>): Announced {
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
  const isKept = Buffer.byteLength(written) <= maxDataBytes
  return { happened, kept: isKept ? written : JSON.stringify({ truncated: true, id: subject.id }) }
}

const actorIn = ({ type, userId, apiKeyId, actorUserId }: Actor): EventActor => ({
  type,
  id: type === 'api_key' ? apiKeyId : userId,
  ...(actorUserId && { actor_user_id: actorUserId }),
})

async function insertEvents(tx: TenantTx, announced: readonly Announced[]): Promise<void> {
  const rows = announced.map(({ happened: { id, type, subject, actor, origin, occurred_at }, kept }) => ({
    id,
    type,
    subject_type: subject.type,
    subject_id: subject.id,
    subject_version: subject.version,
    actor: JSON.stringify(actor),
    origin,
    data: kept,
    occurred_at,
  }))
  await tx.insertInto('platform.outbox_events').values(rows).execute()
}
