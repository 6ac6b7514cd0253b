import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { type ContractReport, checkContract } from './contract.ts'
import { type Endpoint, endpoints } from './endpoint.ts'
import type { OpenApiDocument } from './openapi-document.ts'
import { findResponseDeviations } from './response-deviations.ts'

const { app, tenant } = await startTestApp()
const document = JSON.parse(JSON.stringify(app.swagger())) as OpenApiDocument

test('every implemented endpoint matches the contract', async (t) => {
  const report = await checkContract(document, await tenant())

  for (const line of formatReport(report)) t.diagnostic(line)
  assert.deepEqual(report.deviations, [])
})

test('deviating responses are reported', async () => {
  const acme = await tenant()
  const none = { module: '', scope: null, query: [], body: 'none' as const, status: null, response: null }
  const wronglyProtected: Endpoint = { ...none, method: 'GET', path: '/health', auth: 'bearer' }
  const wronglyPublic: Endpoint = { ...none, method: 'GET', path: '/api/users/', auth: 'none' }
  const id = { name: 'user_id', in: 'path', schema: { format: 'uuid' } }
  const notImplemented: Endpoint = { ...none, method: 'GET', path: '/api/no-such-place/{user_id}', auth: 'bearer' }

  const closed = await findResponseDeviations(wronglyProtected, { responses: {} }, acme)
  const open = await findResponseDeviations(wronglyPublic, { responses: {} }, acme)
  const absent = await findResponseDeviations(notImplemented, { parameters: [id], responses: {} }, acme)

  assert.deepEqual(closed, [
    'responds 200 to a missing credential, expected 401',
    'responds 200 to a refresh token, expected 401',
    'responds 200 to an unknown query parameter, expected 422',
  ])
  assert.deepEqual(open, ['responds 401 to a missing credential, expected a public endpoint'])
  assert.ok(absent.includes('responds 404 to a malformed user_id, expected 422'))
})

function formatReport({ deviations, missing, extensions, passed }: ContractReport): string[] {
  const missingByModule = Object.groupBy(missing, ({ module }) => module)
  const counts = Object.entries(missingByModule).map(([module, endpoints = []]) => `${module} ${endpoints.length}`)
  return [
    ...deviations.map((deviation) => `deviation: ${deviation}`),
    ...(counts.length ? [`not implemented: ${counts.join(', ')}`] : []),
    `not in the contract: ${extensions.length} operations`,
    `contract: ${passed} of ${endpoints.length}`,
  ]
}
