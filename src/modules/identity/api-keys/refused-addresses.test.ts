import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '#testing'
import { openGatekeeper } from '../auth/gatekeeper.ts'

const app = await startTestApp({ RATE_LIMIT_FACTOR: '1' })

type Tenant = Awaited<ReturnType<typeof app.tenant>>
async function pinnedKey(acme: Tenant): Promise<{ id: string; key: string }> {
  const { body } = await acme.manager.post('/api/connected-apps', { name: 'Billing', ip_allowlist: ['203.0.113.0/24'] })
  const fields = { name: 'Machine', scopes: ['crm.read'], connected_app_id: body.id }
  return (await acme.member.post('/api/api-keys', fields)).body
}

test('a refused address is written down once a minute, however many processes refuse it', async () => {
  const acme = await app.tenant()
  const { id, key } = await pinnedKey(acme)
  // They have the limits in common, as processes have through Redis.
  const processes = [1, 2, 3].map(() => openGatekeeper(app.services))
  after(() => Promise.all(processes.map(({ close }) => close())))
  const comeFrom = async (ip: string) => {
    const trace = { requestId: 'request', ip, userAgent: null }
    for (const { admit } of [...processes, ...processes]) {
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

test('whoever uses a key from where it may not be counts as a stranger, and is slowed down', async () => {
  const acme = await app.tenant()
  const { key } = await pinnedKey(acme)
  const thief = acme.bearer(`ApiKey ${key}`).with({ remoteAddress: '198.51.100.9' })

  const statuses = []
  for (let tries = 0; tries < 320; tries++) statuses.push((await thief.get('/api/auth/me')).status)

  assert.equal(statuses[0], 403)
  assert.ok(statuses.includes(429))
  const owner = acme.bearer(`ApiKey ${key}`).with({ remoteAddress: '203.0.113.5' })
  assert.equal((await owner.get('/api/auth/me')).status, 200)
})
