// Checks that the matrices detect defects: each security layer is disabled once, and the matrices must report findings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParsedMail } from 'mailparser'
import type { RouteConfig } from '#platform/http'
import { runIsolationMatrix } from './isolation.ts'
import { runWithoutLayer } from './layers.ts'
import { findLeaks } from './leaks.ts'
import type { startMatrixApp } from './matrix-app.ts'
import type { MatrixOptions, MatrixResult } from './matrix-case.ts'
import { runScopeMatrix } from './scopes.ts'

const categoriesIn = ({ findings }: Pick<MatrixResult, 'findings'>) =>
  [...new Set(findings.map(({ category }) => category))].sort()
const countLeaks = ({ findings }: MatrixResult) => findings.filter(({ isLeak }) => isLeak).length

const policies = {
  'identity.teams': ['/api/teams'],
  'identity.users': ['/api/users'],
  'identity.connected_apps': ['/api/connected-apps'],
  'identity.tenant_settings': ['/api/admin/settings'],
  'platform.background_tasks': ['/api/tasks'],
  'platform.audit_log': ['/api/admin/audit-log'],
}

const indirectlyProtected = [
  { tables: ['identity.team_members'], at: '/api/teams', reason: 'a membership is found through its team' },
  { tables: ['identity.api_keys'], at: '/api/api-keys', reason: 'a key is found through its creator' },
  { tables: ['identity.sessions'], at: '/api/auth/sessions', reason: 'a session is found through its user' },
  { tables: ['platform.notifications'], at: '/api/auth/notifications', reason: 'users see only their own' },
]

const configChanges: [name: string, change: (config: RouteConfig) => void][] = [
  ['POST /api/teams/', (config) => Object.assign(config, { scope: 'teams.read' })],
  ['DELETE /api/teams/:team_id', (config) => Object.assign(config, { scope: undefined, signedIn: true })],
  ['GET /api/users/admin/active-sessions', (config) => Object.assign(config, { roles: undefined })],
  ['PATCH /api/admin/settings', (config) => Object.assign(config, { humanOnly: undefined })],
  ['DELETE /api/users/:user_id', (config) => Object.assign(config, { freshLogin: undefined })],
  ['PATCH /api/auth/profile', (config) => Object.assign(config, { public: true })],
]

export function testLayers(app: Awaited<ReturnType<typeof startMatrixApp>>, options: MatrixOptions): void {
  const routesUnder = (...prefixes: string[]) =>
    app.routes.filter(({ url }) => prefixes.some((prefix) => url === prefix || url.startsWith(`${prefix}/`)))

  test('with all layers in place nothing is found', async () => {
    const isolation = await runIsolationMatrix(app, routesUnder('/api/teams', '/api/tasks'), options)
    const scopes = await runScopeMatrix(app, routesUnder('/api/teams'), options)

    assert.ok(isolation.cases > 100 && scopes.cases > 150, `${isolation.cases} and ${scopes.cases} cases`)
    assert.deepEqual([...isolation.findings, ...scopes.findings], [])
  })

  test('leaks in logs, emails, rows and Redis are found', async () => {
    const freshApp = await app.withNewTenants()
    const { ownTenant, canary } = freshApp
    const mail = (text: string) => ({ subject: text }) as ParsedMail
    freshApp.logLines.push(`{"msg":"${canary}"}`)
    freshApp.emails.push({ to: 'ada@own.example', mail: mail(canary) })
    freshApp.emails.push({ to: `ada@${canary}.example`, mail: mail(ownTenant.workspace.slug) })
    await ownTenant.workspace.admin.post('/api/teams/', { name: canary })

    const findings = await findLeaks(freshApp, [['set', `${ownTenant.workspace.id}:profile`, canary]])

    assert.deepEqual(categoriesIn({ findings }), ['cache', 'email', 'log', 'rows'])
    assert.equal(findings.filter(({ category }) => category === 'email').length, 2)
  })

  for (const [table, prefixes] of Object.entries(policies)) {
    test(`without the policy of ${table} data leaks, and authentication still works`, async () => {
      const result = await runWithoutPolicies([table], ...prefixes)

      assert.ok(countLeaks(result) > 0)
      assert.deepEqual(
        categoriesIn(result).filter((category) => ['credential', 'host', 'injected tenant'].includes(category)),
        [],
      )
    })
  }

  for (const { tables, at, reason } of indirectlyProtected) {
    test(`without the policy of ${tables} nothing leaks: ${reason}`, async () => {
      assert.deepEqual((await runWithoutPolicies(tables, at)).findings, [])
    })
  }

  test('API keys leak without the policies of keys and users', async () => {
    const result = await runWithoutPolicies(['identity.api_keys', 'identity.users'], '/api/api-keys')

    assert.ok(countLeaks(result) > 0)
  })

  for (const layer of ['host check', 'raw host'] as const) {
    test(`without the ${layer} data leaks, and row-level security still works`, async () => {
      const freshApp = await app.withNewTenants()
      // A short run has only some of the callers with a wrong host at each route.
      const runMatrix = () => runIsolationMatrix(freshApp, routesUnder('/api/teams'))
      const result = await runWithoutLayer(layer, freshApp, runMatrix)

      assert.ok(countLeaks(result) > 0)
      assert.ok(categoriesIn(result).includes('credential') && categoriesIn(result).includes('host'))
      assert.ok(!categoriesIn(result).includes('foreign id') && !categoriesIn(result).includes('wrong parent'))
    })
  }

  for (const [name, change] of configChanges) {
    test(`${name} with a wrong config accepts unauthorized callers but leaks no data`, async () => {
      const freshApp = await app.withNewTenants()
      const routes = app.routes.filter((route) => route.name === name)
      // This run also calls the route once, which makes its config available.
      const before = await runScopeMatrix(freshApp, routes, options)
      const config = app.configOf(name)
      const original = { ...config }
      change(config)
      const scopes = await runScopeMatrix(freshApp, routes, options)
      const isolation = await runIsolationMatrix(freshApp, routes, options)
      for (const key of Object.keys(config)) delete config[key as keyof RouteConfig]
      Object.assign(config, original)

      assert.deepEqual(before.findings, [])
      assert.ok(categoriesIn(scopes).includes('scope'))
      assert.equal(countLeaks(isolation), 0)
    })
  }

  async function runWithoutPolicies(tables: string[], ...prefixes: string[]): Promise<MatrixResult> {
    const freshApp = await app.withNewTenants()
    const setPolicies = async (condition: string) => {
      for (const table of tables)
        await app.owner.query(
          `alter policy tenant_isolation on ${table} using (${condition}) with check (${condition})`,
        )
    }
    await setPolicies('true')
    try {
      return await runIsolationMatrix(freshApp, routesUnder(...prefixes), options)
    } finally {
      await setPolicies('tenant_id = (select platform.current_tenant_id())')
    }
  }
}
