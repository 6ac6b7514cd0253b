import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant, client, domain } = await startTestApp({ TRUSTED_PROXIES: '10.0.0.0/8' })
const route = '/api/auth/sso/providers'

test('identity-1-3: a workspace is resolved only by its exact subdomain, in any host spelling', async () => {
  const { slug, host } = await tenant()
  const statusAt = async (name: string) => (await client({ host: name }).get(route)).status

  const same = [host.toUpperCase(), `${host}:443`, `${host}.`, `${host}.:8443`]
  const other = [
    `a.${host}`,
    `${host}.evil.com`,
    `.${domain}`,
    `${slug}.evil.com`,
    slug,
    `${host}..`,
    `${host}@${domain}`,
    'x',
  ]

  assert.deepEqual(
    await Promise.all(same.map(statusAt)),
    same.map(() => 200),
  )
  assert.deepEqual(
    await Promise.all(other.map(statusAt)),
    other.map(() => 404),
  )
})

test('identity-1-4: forwarded host headers are ignored, even from a trusted proxy', async () => {
  const [acme, beta] = [await tenant({ name: 'Acme' }), await tenant({ name: 'Beta' })]
  const forged = { 'x-forwarded-host': beta.host, forwarded: `host=${beta.host}`, 'x-original-host': beta.host }

  const direct = await acme.admin.get('/api/auth/me', forged)
  const proxied = await acme.admin.with({ remoteAddress: '10.1.2.3' }).get('/api/auth/me', forged)
  const unknownHost = await client({ host: `nope.${domain}`, remoteAddress: '10.1.2.3' }).get(route, forged)

  assert.deepEqual([direct.body.tenant?.slug, proxied.body.tenant?.slug], [acme.slug, acme.slug])
  assert.equal(unknownHost.body.code, 'tenant_not_found')
})

test('identity-1-10: the main domain has no workspace but serves the health check', async () => {
  const main = client({ host: domain })

  const leads = await main.get('/api/leads/')
  const me = await main.get('/api/auth/me')
  const health = await main.get('/health')

  assert.equal(leads.status, 404)
  assert.deepEqual([me.status, me.body.code], [404, 'tenant_not_found'])
  assert.equal(health.status, 200)
})
