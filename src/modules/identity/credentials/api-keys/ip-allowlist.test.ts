import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '#testing'
import { createRequestAuthenticator } from '../request-auth/authenticate-request.ts'

const app = await startTestApp({ RATE_LIMIT_FACTOR: '1' })

type Tenant = Awaited<ReturnType<typeof app.tenant>>
async function pinnedKey(acme: Tenant): Promise<{ id: string; key: string }> {
  const { body } = await acme.manager.post('/api/connected-apps', { name: 'Billing', ip_allowlist: ['203.0.113.0/24'] })
  const fields = { name: 'Machine', scopes: ['crm.read'], connected_app_id: body.id }
  return (await acme.member.post('/api/api-keys', fields)).body
}

test('a denied IP address is audited once per minute across all processes', async () => {
  const acme = await app.tenant()
  const { id, key } = await pinnedKey(acme)
  // Both share the limits, as processes do through Redis.
  const processes = [1, 2, 3].map(() => createRequestAuthenticator(app.services))
  after(() => Promise.all(processes.map(({ close }) => close())))
  const comeFrom = async (ip: string) => {
    const trace = { requestId: 'request', ip, userAgent: null }
    for (const { authenticate: admit } of [...processes, ...processes]) {
      const arrival = { slug: acme.slug, credential: { kind: 'api_key', key } as const, trace }
      await assert.rejects(admit(arrival), { code: 'ip_not_allowed' })
    }
  }

  await comeFrom('198.51.100.1')
  await comeFrom('198.51.100.2')
  app.clock.advance(61)
  await comeFrom('198.51.100.1')

  const { rows } = await acme.sql(
    `select host(ip) as ip from platform.audit_log where resource_id = $1 and outcome = 'denied' order by id`,
    [id],
  )
  assert.deepEqual(
    rows.map(({ ip }) => ip),
    ['198.51.100.1', '198.51.100.2', '198.51.100.1'],
  )
})

test('requests from a denied network count against the anonymous limit', async () => {
  const acme = await app.tenant()
  const { key } = await pinnedKey(acme)
  const thief = acme.bearer(`ApiKey ${key}`).with({ remoteAddress: '198.51.100.9' })

  const statuses = []
  for (let attempts = 0; attempts < 320; attempts++) statuses.push((await thief.get('/api/auth/me')).status)

  assert.equal(statuses[0], 403)
  assert.ok(statuses.includes(429))
  const owner = acme.bearer(`ApiKey ${key}`).with({ remoteAddress: '203.0.113.5' })
  assert.equal((await owner.get('/api/auth/me')).status, 200)
})
