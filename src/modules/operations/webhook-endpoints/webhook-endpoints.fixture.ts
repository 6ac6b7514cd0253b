import assert from 'node:assert/strict'
import type { startTestApp } from '#testing'

type TestWorkspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export const endpointsUrl = '/api/webhooks'
export const targetUrl = 'http://127.0.0.1:9/in?token=hush'

export async function createEndpoint(
  acme: TestWorkspace,
  fields: object = {},
  caller: 'admin' | 'manager' = 'manager',
) {
  const { status, body } = await acme[caller].post(endpointsUrl, { url: targetUrl, event_types: ['lead.*'], ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
