import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant, services, clock } = await startTestApp()
const url = '/api/admin/system-stats'

test('statistics count the records, users and usage of the workspace only', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body
  await acme.member.post('/api/leads/', { last_name: 'Roy' })
  await acme.member.delete(`/api/leads/${lead.id}`)
  await other.member.post('/api/leads/', { last_name: 'Elsewhere' })
  await services.usage.flush()

  const { status, body } = await acme.admin.get(url)

  assert.equal(status, 200)
  assert.deepEqual(body.records['crm.leads'], { count: 1, relation: 'eq' })
  assert.deepEqual(body.records['crm.contacts'], { count: 0, relation: 'eq' })
  assert.equal(body.records['identity.users'], undefined)
  assert.deepEqual(body.users.by_role, { admin: 1, manager: 1, member: 1, viewer: 1 })
  assert.deepEqual(body.users.by_status, { active: 4 })
  assert.deepEqual([body.sessions_live, body.api_keys_live, body.storage], [4, 0, { files: 0, bytes: 0 }])
  assert.deepEqual(
    body.usage_30d.map((day: Record<string, number>) => [day.api_requests, day.api_errors]),
    [[3, 0]],
  )
  assert.ok(body.process.rss_bytes > 1e7 && body.process.node_version === process.version)
  assert.ok(body.database.size_bytes > 1e6 && body.database.cache_hit_rate <= 1)
})

test('usage is summed by day in the time zone of the workspace, for 30 days', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { general: { timezone: 'Pacific/Auckland' } })
  await services.usage.flush()
  await acme.sql('delete from platform.tenant_usage where tenant_id = $1', [acme.id])
  const today = new Date(Math.floor(clock.now().getTime() / 3_600_000) * 3_600_000)
  const hoursAgo = (hours: number) => new Date(today.getTime() - hours * 3_600_000)
  const entries = [
    [1, 5],
    [23, 7],
    [30, 11],
    [24 * 29 - 24, 13],
    [24 * 32, 17],
  ] as const
  for (const [hours, jobs] of entries)
    await acme.sql(
      'insert into platform.tenant_usage (tenant_id, hour, emails_sent, jobs_succeeded, jobs_failed) values ($1, $2, 1, $3, 1)',
      [acme.id, hoursAgo(hours), jobs],
    )

  const { body } = await acme.admin.get(url)

  const dayOf = (date: Date) => date.toLocaleDateString('en-CA', { timeZone: 'Pacific/Auckland' })
  const expected = entries.slice(0, 4).map(([hours]) => dayOf(hoursAgo(hours)))
  assert.deepEqual(
    body.usage_30d.map(({ on }: { on: string }) => on),
    [...new Set(expected)].sort(),
  )
  assert.equal(
    body.usage_30d.reduce((sum: number, { emails_sent }: { emails_sent: number }) => sum + emails_sent, 0),
    4,
  )
  assert.deepEqual(body.jobs_24h, { succeeded: 12, failed: 2 })
})

test('statistics are cached for a minute', async () => {
  const acme = await tenant()
  const before = await acme.admin.get(url)
  await acme.member.post('/api/leads/', { last_name: 'Moss' })

  const cached = await acme.admin.get(url)
  clock.advance(61)
  const later = await acme.admin.get(url)

  assert.deepEqual(
    [before, cached, later].map(({ body }) => body.records['crm.leads'].count),
    [0, 0, 1],
  )
})

test('usage of several processes is added up, and an error response is counted', async () => {
  const acme = await tenant()
  await services.usage.flush()
  await acme.sql('delete from platform.tenant_usage where tenant_id = $1', [acme.id])

  for (let n = 0; n < 2; n++) {
    services.usage.count(acme.id, 'api_requests', 2)
    services.usage.count(acme.id, 'api_errors')
    await services.usage.flush()
  }

  const { rows } = await acme.sql(
    'select sum(api_requests)::int as requests, sum(api_errors)::int as errors from platform.tenant_usage where tenant_id = $1',
    [acme.id],
  )
  assert.deepEqual(rows, [{ requests: 4, errors: 2 }])
})
