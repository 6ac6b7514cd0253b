import type { Resource } from '#platform/access'
import type { EventPresenter, Registry } from '#platform/module'
import { type DomainEvent, subjectTypeOf } from '#platform/outbox'
import { createExample, withExample } from '#platform/schema'
import { buildPayload } from '../webhook-payloads/webhook-payload.rules.ts'
import { type WebhookPayload, webhookPayloadOf } from '../webhook-payloads/webhook-payload.schemas.ts'
import type { WebhookEventType } from './webhook-catalogue.schemas.ts'

const exampleId = '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'

/** Events after which the API no longer shows the record. */
const endsRecord = /\.deleted$|^session\.(revoked|reuse_detected)$|^impersonation\.ended$/

type EventRegistry = Pick<Registry, 'modules' | 'eventPresenters'>

export const listWebhookEventTypes = (registry: EventRegistry): { items: WebhookEventType[]; total: number } => {
  const items = describeWebhooks(registry).map(({ payload: _, ...eventType }) => eventType)
  return { items, total: items.length }
}

/** Describes all event types with the schema of their payloads, sorted by type. */
export function describeWebhooks({ modules, eventPresenters }: EventRegistry) {
  const presenters = new Map(eventPresenters.map((presenter) => [presenter.subjectType, presenter]))
  return modules
    .flatMap(({ events }) => events)
    .sort((left, right) => (left.type < right.type ? -1 : 1))
    .map((event) => describeWebhook(event, presenters.get(subjectTypeOf(event))))
}

function describeWebhook(event: DomainEvent, presenter: EventPresenter | undefined) {
  const { type, resource, description, data } = event
  const example = createPayloadExample(event, presenter)
  const payload = withExample(webhookPayloadOf(type, data, presenter?.schema ?? null), example)
  return { type, resource: resource as Resource, description, example, payload }
}

function createPayloadExample(event: DomainEvent, presenter: EventPresenter | undefined): WebhookPayload {
  const subjectType = subjectTypeOf(event)
  const record = presenter && (createExample(presenter.schema, { title: subjectType }) as { version?: number })
  return buildPayload(
    {
      id: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f10',
      type: event.type,
      subject: { type: subjectType, id: exampleId, version: record?.version ?? null },
      actor: { type: 'user', id: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f11' },
      origin: 'api',
      data: createExample(event.data, { title: subjectType }),
      isTruncated: false,
      occurred_at: new Date('2026-03-01T09:30:00.000Z'),
    },
    endsRecord.test(event.type) ? null : record,
    'acme',
  )
}
