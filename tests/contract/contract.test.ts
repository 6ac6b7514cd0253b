import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { checkContract, type Report } from './contract.ts'
import type { Description } from './description.ts'
import { type Endpoint, endpoints } from './endpoint.ts'
import { deviationsInAnswers } from './live.ts'

const { app, tenant } = await startTestApp()
const description = JSON.parse(JSON.stringify(app.swagger())) as Description

test('every endpoint that is there keeps the contract', async (t) => {
  const report = await checkContract(description, await tenant())

  for (const line of linesOf(report)) t.diagnostic(line)
  assert.deepEqual(report.deviations, [])
})

test('an endpoint that answers otherwise is noticed', async () => {
  const acme = await tenant()
  const none = { module: '', scope: null, query: [], body: 'none' as const, status: null, response: null }
  const asIfClosed: Endpoint = { ...none, method: 'GET', path: '/health', auth: 'bearer' }
  const asIfPublic: Endpoint = { ...none, method: 'GET', path: '/api/users/', auth: 'none' }
  const id = { name: 'user_id', in: 'path', schema: { format: 'uuid' } }
  const asIfThere: Endpoint = { ...none, method: 'GET', path: '/api/no-such-place/{user_id}', auth: 'bearer' }

  const closed = await deviationsInAnswers(asIfClosed, { responses: {} }, acme)
  const open = await deviationsInAnswers(asIfPublic, { responses: {} }, acme)
  const absent = await deviationsInAnswers(asIfThere, { parameters: [id], responses: {} }, acme)

  assert.deepEqual(closed, [
    'answers 200 to somebody without a credential and should answer 401',
    'answers 200 to a refresh token and should answer 401',
    'answers 200 to an unknown query parameter and should answer 422',
  ])
  assert.deepEqual(open, ['answers 401 to somebody without a credential and should be public'])
  assert.ok(absent.includes('answers 404 to a malformed user_id and should answer 422'))
})

function linesOf({ deviations, missing, extensions, kept }: Report): string[] {
  const modules = Object.groupBy(missing, ({ module }) => module)
  const open = Object.entries(modules).map(([module, some = []]) => `${module} ${some.length}`)
  return [
    ...deviations.map((deviation) => `deviation: ${deviation}`),
    ...(open.length ? [`not there: ${open.join(', ')}`] : []),
    `beyond the contract: ${extensions.length} operations`,
    `contract: ${kept} of ${endpoints.length}`,
  ]
}
