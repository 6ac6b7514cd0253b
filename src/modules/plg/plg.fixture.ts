import assert from 'node:assert/strict'
import { startTestApp, type TestUser } from '#testing'

export const eventsUrl = '/api/tenant/plg/events'
export const dashboardUrl = '/api/tenant/plg/dashboard'
export const funnelsUrl = '/api/tenant/plg/funnels'
export const retentionUrl = '/api/tenant/plg/retention'
export const plgSettingsUrl = '/api/tenant/plg/settings'
export const actorsUrl = '/api/tenant/plg/actors'

type EventFields = Record<string, unknown>

let sent = 0

/** An event of now, whose id no other event has. */
export const usageEvent = (fields: EventFields = {}): EventFields => ({
  event_id: `event-${++sent}`,
  name: 'project_created',
  user_ref: 'user-1',
  occurred_at: new Date().toISOString(),
  ...fields,
})

export async function sendEvents(user: TestUser, ...events: EventFields[]) {
  const { status, body, text } = await user.post(eventsUrl, { events })
  assert.equal(status, 200, text)
  return body as { accepted: number; duplicates: number; rejected: number }
}

export async function startUsageApp(options: Parameters<typeof startTestApp>[1] = {}) {
  const app = await startTestApp({}, options)
  return { ...app, acme: await app.tenant() }
}

export type UsageWorkspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export async function findActor(acme: UsageWorkspace, ref: string) {
  const { items } = (await acme.viewer.get(`${actorsUrl}?search=${encodeURIComponent(ref)}`)).body
  const found = items.find((actor: { ref: string }) => actor.ref === ref)
  assert.ok(found, `There is no actor ${ref}.`)
  return found
}
