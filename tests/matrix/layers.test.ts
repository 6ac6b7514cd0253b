// Would the matrices notice? Each layer is taken away once: they must turn red, and something else must still stand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { ParsedMail } from 'mailparser'
import type { Gatekeeper, RouteConfig } from '#platform/http'
import { tryIsolation } from './isolation.ts'
import { tryScopes } from './scopes.ts'
import { leaksLeftBehind } from './traces.ts'
import type { Verdict } from './verdict.ts'
import { openWorld } from './world.ts'

let gone: 'host check' | 'raw host' | undefined

const world = await openWorld({
  /** As if the host a proxy speaks of were believed. */
  onRequest({ raw }: FastifyRequest) {
    const forwarded = raw.headers['x-forwarded-host']
    if (gone === 'raw host' && forwarded) raw.headers.host = String(forwarded)
  },
  /** As if the workspace were the one a token names, whatever the host. */
  alter: (gatekeeper: Gatekeeper): Gatekeeper => ({
    ...gatekeeper,
    async admit(arrival) {
      const { credential, slug } = arrival
      if (gone !== 'host check' || credential?.kind !== 'session') return await gatekeeper.admit(arrival)
      return await gatekeeper.admit({ ...arrival, slug: await slugIn(credential.token).catch(() => slug) })
    },
  }),
})

async function slugIn(token: string): Promise<string> {
  const { rows } = await world.owner.query('select slug from identity.tenants where id = $1', [decodeJwt(token).tid])
  return rows[0].slug
}

const below = (...prefixes: string[]) =>
  world.routes.filter(({ url }) => prefixes.some((prefix) => url === prefix || url.startsWith(`${prefix}/`)))

/** What kinds of cases found something. */
const turnedRed = ({ findings }: Verdict) => [...new Set(findings.map(({ about }) => about))].sort()
const leaksIn = ({ findings }: Verdict) => findings.filter(({ isLeak }) => isLeak).length

test('with every layer in place nothing is found', async () => {
  const isolation = await tryIsolation(world, below('/api/teams', '/api/tasks'))
  const scopes = await tryScopes(world, below('/api/teams'))

  assert.ok(isolation.cases > 300 && scopes.cases > 1_000, `${isolation.cases} and ${scopes.cases} cases`)
  assert.deepEqual([...isolation.findings, ...scopes.findings], [])
})

test('what is left lying about is noticed, wherever it is', async () => {
  const places = await world.anew()
  const { ours, canary } = places
  const mail = (text: string) => ({ subject: text }) as ParsedMail
  places.lines.push(`{"msg":"${canary}"}`)
  places.mails.push({ to: 'ada@ours.example', mail: mail(canary) })
  places.mails.push({ to: `ada@${canary}.example`, mail: mail(ours.workspace.slug) })
  await ours.workspace.admin.post('/api/teams/', { name: canary })

  const findings = await leaksLeftBehind(places, [['set', `${ours.workspace.id}:profile`, canary]])

  assert.deepEqual(turnedRed({ routes: 0, cases: 0, findings }), ['cache', 'log', 'mail', 'rows'])
  assert.equal(findings.filter(({ about }) => about === 'mail').length, 2)
})

const policies = {
  'identity.teams': ['/api/teams'],
  'identity.users': ['/api/users'],
  'identity.connected_apps': ['/api/connected-apps'],
  'identity.tenant_settings': ['/api/admin/settings'],
  'platform.background_tasks': ['/api/tasks'],
  'platform.audit_log': ['/api/admin/audit-log'],
}

for (const [table, prefixes] of Object.entries(policies)) {
  test(`without the policy of ${table} there are leaks, and the gate still holds`, async () => {
    const verdict = await withoutPolicies([table], ...prefixes)

    assert.ok(leaksIn(verdict) > 0)
    assert.deepEqual(
      turnedRed(verdict).filter((about) => ['credential', 'host', 'smuggled'].includes(about)),
      [],
    )
  })
}

const spared = [
  { tables: ['identity.team_members'], at: '/api/teams', because: 'a membership is found through its team' },
  { tables: ['identity.api_keys'], at: '/api/api-keys', because: 'a key is found through whoever made it' },
  { tables: ['identity.sessions'], at: '/api/auth/sessions', because: 'a session is found through its person' },
  { tables: ['platform.notifications'], at: '/api/auth/notifications', because: 'people see their own' },
]

for (const { tables, at, because } of spared) {
  test(`without the policy of ${tables} nothing is lost yet: ${because}`, async () => {
    assert.deepEqual((await withoutPolicies(tables, at)).findings, [])
  })
}

test('where the second policy is gone as well, keys leak', async () => {
  const verdict = await withoutPolicies(['identity.api_keys', 'identity.users'], '/api/api-keys')

  assert.ok(leaksIn(verdict) > 0)
})

for (const layer of ['host check', 'raw host'] as const) {
  test(`without the ${layer} there are leaks, and row-level security still holds`, async () => {
    const places = await world.anew()
    gone = layer
    const verdict = await tryIsolation(places, below('/api/teams')).finally(() => {
      gone = undefined
    })

    assert.ok(leaksIn(verdict) > 0)
    assert.ok(turnedRed(verdict).includes('credential') && turnedRed(verdict).includes('host'))
    assert.ok(!turnedRed(verdict).includes('foreign id') && !turnedRed(verdict).includes('chain'))
  })
}

const declarations: [name: string, change: (config: RouteConfig) => void][] = [
  ['POST /api/teams/', (config) => Object.assign(config, { scope: 'teams.read' })],
  ['DELETE /api/teams/:team_id', (config) => Object.assign(config, { scope: undefined, signedIn: true })],
  ['GET /api/users/admin/active-sessions', (config) => Object.assign(config, { roles: undefined })],
  ['PATCH /api/admin/settings', (config) => Object.assign(config, { humanOnly: undefined })],
  ['DELETE /api/users/:user_id', (config) => Object.assign(config, { freshLogin: undefined })],
  ['PATCH /api/auth/profile', (config) => Object.assign(config, { public: true })],
]

for (const [name, change] of declarations) {
  test(`${name} with another declaration lets in the wrong people, and shows them nothing of others`, async () => {
    const places = await world.anew()
    const routes = world.routes.filter((route) => route.name === name)
    // Both know the route by then, and find nothing wrong with it.
    const before = await tryScopes(places, routes)
    const config = world.declarationOf(name)
    const declared = { ...config }
    change(config)
    const scopes = await tryScopes(places, routes)
    const isolation = await tryIsolation(places, routes)
    for (const key of Object.keys(config)) delete config[key as keyof RouteConfig]
    Object.assign(config, declared)

    assert.deepEqual(before.findings, [])
    assert.ok(turnedRed(scopes).includes('scope'))
    assert.equal(leaksIn(isolation), 0)
  })
}

async function withoutPolicies(tables: string[], ...prefixes: string[]): Promise<Verdict> {
  const places = await world.anew()
  const set = async (condition: string) => {
    for (const table of tables)
      await world.owner.query(
        `alter policy tenant_isolation on ${table} using (${condition}) with check (${condition})`,
      )
  }
  await set('true')
  try {
    return await tryIsolation(places, below(...prefixes))
  } finally {
    await set('tenant_id = platform.current_tenant_id()')
  }
}
