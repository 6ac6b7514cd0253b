import { getTenant } from '#modules/identity'
import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { Registry } from '#platform/module'
import type { EventEnvelope } from '#platform/outbox'
import { buildPayload } from '../webhook-payloads/webhook-payload.rules.ts'
import type { WebhookPayload } from '../webhook-payloads/webhook-payload.schemas.ts'

type StoredEvent = { event_id: string; event_type: string; event: unknown }
type PresentingServices = { clock: Clock; registry: Registry }
type EventFields = Pick<EventEnvelope, 'subject' | 'actor' | 'data'> & { occurred_at: string }

export const toEnvelope = ({ event_id, event_type, event }: StoredEvent): EventEnvelope => {
  const { subject, actor, data, occurred_at } = event as EventFields
  const envelope = { id: event_id, type: event_type, subject, actor, data, occurred_at: new Date(occurred_at) }
  return { ...envelope, origin: 'api', isTruncated: false }
}

/** Builds the payloads with the records as they are now, because a receiver wants the current state. */
export async function presentEvents(
  tx: TenantTx,
  { clock, registry }: PresentingServices,
  events: readonly StoredEvent[],
): Promise<WebhookPayload[]> {
  const envelopes = events.map(toEnvelope)
  const { slug } = await getTenant(tx)
  const objects = new Map<string, unknown>()
  for (const [type, ofType] of Map.groupBy(envelopes, ({ subject }) => subject.type)) {
    const presenter = registry.eventPresenters.find(({ subjectType }) => subjectType === type)
    const ids = [...new Set(ofType.map(({ subject }) => subject.id))]
    for (const [id, object] of (await presenter?.list(tx, ids, clock.now())) ?? []) objects.set(`${type} ${id}`, object)
  }
  return envelopes.map((event) => buildPayload(event, objects.get(`${event.subject.type} ${event.subject.id}`), slug))
}
