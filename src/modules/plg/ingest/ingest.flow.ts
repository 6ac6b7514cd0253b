import type { UserActor } from '#platform/access'
import type { RequestTransaction } from '#platform/http'
import type { Services } from '#platform/module'
import { dropCachedNumbers } from '../usage-store/usage-store.ts'
import { type EventError, isEventError, parseEvent, type SentEvent } from './event.rules.ts'
import { clockShiftOf } from './event-time.rules.ts'
import type { EventBatch, IngestReport } from './ingest.schemas.ts'
import { storeBatch } from './ingest.service.ts'

type Request = { actor: UserActor; inTenant: RequestTransaction; body: EventBatch; isStrict: boolean }

/** Checks the events before the transaction, stores them, and makes cached numbers outdated. */
export async function ingestEvents(
  { clock, cache }: Pick<Services, 'clock' | 'cache'>,
  { actor, inTenant, body, isStrict }: Request,
): Promise<IngestReport> {
  const receivedAt = clock.now()
  const shiftMs = clockShiftOf(body.sent_at, receivedAt)
  const [events, errors]: [SentEvent[], EventError[]] = [[], []]
  for (const [index, sent] of body.events.entries()) {
    const event = parseEvent(sent, index)
    if (isEventError(event)) errors.push(event)
    else events.push(event)
  }
  const report = await inTenant((tx) => storeBatch(tx, { events, errors, isStrict, shiftMs, receivedAt }))
  if (report.accepted) await dropCachedNumbers(cache, actor.tenantId)
  return report
}
