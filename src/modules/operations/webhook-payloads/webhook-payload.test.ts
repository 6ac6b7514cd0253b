import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { newId } from '#platform/ids'
import type { EventEnvelope } from '#platform/outbox'
import { nullable, strict } from '#platform/schema'
import { buildPayload } from './webhook-payload.rules.ts'
import { webhookPayload } from './webhook-payload.schemas.ts'

const leadId = newId()
const event: EventEnvelope = {
  id: newId(),
  type: 'lead.updated',
  subject: { type: 'lead', id: leadId, version: 3 },
  actor: { type: 'impersonation', id: newId(), actor_user_id: newId() },
  origin: 'api',
  data: { changed: ['title'] },
  isTruncated: false,
  occurred_at: new Date('2026-01-05T09:30:00.000Z'),
}
const schema = Compile(
  webhookPayload(
    'lead.updated',
    strict({ changed: Type.Array(Type.String()) }),
    nullable(strict({ id: Type.String() })),
  ),
)

test('a payload has the event, the record, the actor and the version of the record', () => {
  const payload = buildPayload(event, { id: leadId }, 'acme')

  assert.deepEqual(payload, {
    id: event.id,
    type: 'lead.updated',
    timestamp: '2026-01-05T09:30:00.000Z',
    workspace: 'acme',
    subject: { type: 'lead', id: leadId },
    data: { changed: ['title'] },
    object: { id: leadId },
    actor: { type: 'impersonation', id: event.actor.id },
    sequence: 3,
  })
  assert.ok(schema.Check(payload))
})

test('the object of an event without a record is null', () => {
  const payload = buildPayload({ ...event, subject: { ...event.subject, version: null } }, undefined, 'acme')

  assert.equal(payload.object, null)
  assert.equal(payload.sequence, null)
  assert.ok(schema.Check(payload))
})
