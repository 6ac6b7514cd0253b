// Tests that fail or pass with problem responses. Run by problem-responses.test.ts in another process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createTestClients } from './client.ts'

const app = Fastify()
app.decorate('swagger', () => ({ openapi: '3.1.0', info: { title: 'Notes', version: '1' }, paths: {} }))
const { observe, client } = createTestClients()
observe(app)
app.post('/notes/:name', { schema: { hide: true } }, (request, reply) => {
  const { name } = request.params as { name: string }
  const errors = [{ path: '/name', code: 'format', message: `The name ${name} is not allowed.` }]
  const problem = { code: 'validation_failed', detail: 'The request is invalid.', errors }
  return reply.code(422).type('application/problem+json').send(problem)
})
const caller = client({ host: 'acme.tributary.test' })

test('a test fails', async () => {
  const { status } = await caller.post('/notes/first')

  assert.equal(status, 201)
})

test('a test passes', async () => {
  const { status } = await caller.post('/notes/expected')

  assert.equal(status, 422)
})

test('a test fails after several responses', async () => {
  for (const name of ['old', 'two', 'three', 'four', 'five', 'six']) await caller.post(`/notes/${name}`)

  throw new TypeError('Cannot read properties of undefined')
})

test('a test fails in a nested test', async (t) => {
  await t.test('nested', async () => {
    const { status } = await caller.post('/notes/nested')

    assert.deepEqual([status], [201])
  })
})
