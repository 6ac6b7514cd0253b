import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { startTestApp } from '#testing'
import { describeWebhooks } from './webhook-catalogue.rules.ts'

const url = '/api/webhooks/event-types'
const { services, tenant } = await startTestApp()

test('every user can list all event types, sorted, with an example payload each', async () => {
  const acme = await tenant()

  const { status, body } = await acme.viewer.get(url)

  const types = services.registry.modules.flatMap(({ events }) => events.map(({ type }) => type)).sort()
  assert.equal(status, 200)
  assert.deepEqual(
    body.items.map(({ type }: { type: string }) => type),
    types,
  )
  assert.equal(body.total, types.length)
  const updated = body.items.find(({ type }: { type: string }) => type === 'lead.updated')
  assert.partialDeepStrictEqual(updated, {
    resource: 'leads',
    description: 'A lead was updated',
    example: {
      type: 'lead.updated',
      workspace: 'acme',
      data: { changed: ['owner_id'] },
      object: { last_name: 'Lovelace', company: 'Analytical Engines' },
      actor: { type: 'user' },
      sequence: 1,
    },
  })
  assert.equal(updated.example.subject.id, updated.example.object.id)
})

test('the examples are the same in every response and match the schemas of the payloads', async () => {
  const [acme, other] = [await tenant(), await tenant()]

  const { body } = await acme.viewer.get(url)

  assert.deepEqual((await other.admin.get(url)).body, body)
  for (const { type, payload, example } of describeWebhooks(services.registry))
    assert.deepEqual([...Compile(payload).Errors(example)], [], type)
})

test('the examples of events that end a record have no object', () => {
  const examples = new Map(describeWebhooks(services.registry).map(({ type, example }) => [type, example]))

  for (const type of ['lead.deleted', 'team.deleted', 'session.revoked', 'impersonation.ended'])
    assert.equal(examples.get(type)?.object, null, type)
  assert.notEqual(examples.get('api_key.revoked')?.object, null)
})

test('an API key needs the scope webhooks.read to list the event types', async () => {
  const { admin, bearer } = await tenant()
  const clientWith = async (scope: string) => {
    const { body } = await admin.post('/api/api-keys', { name: scope, scopes: [scope] })
    return bearer(`Bearer ${body.key}`)
  }

  assert.equal((await (await clientWith('leads.read')).get(url)).status, 403)
  assert.equal((await (await clientWith('webhooks.read')).get(url)).status, 200)
})

test('the list of event types has no parameters', async () => {
  const { admin } = await tenant()

  assert.equal((await admin.get(`${url}?type=lead.created`)).status, 422)
})
