import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { migrateTemplate, startPostgres, startTestApp, waitUntil } from '#testing'

const postgres = await startPostgres({ settings: ['shared_preload_libraries=pg_stat_statements'] })
await migrateTemplate(postgres.url)
const app = await startTestApp(
  { SLOW_STATEMENT_MS: '500' },
  {
    server: postgres.url,
    routes: () => async (fastify) => {
      fastify.route({
        method: 'GET',
        url: '/slow',
        config: { public: true },
        schema: { hide: true },
        handler: (request) =>
          request.inTenant(async (tx) => {
            await sql`select pg_sleep(0.6), last_name from crm.contacts where ${'private value'} <> ''
            union all select pg_sleep(0.6), null`.execute(tx)
            return {}
          }),
      })
    },
  },
)
after(() => postgres.stop())
const url = '/api/admin/slow-queries'

test('identity-10-15 statements contain no values of other workspaces, and without the extension none are available', async () => {
  const [acme, other] = [await app.tenant(), await app.tenant()]
  const without = await acme.admin.get(url)
  await app.owner.query('create extension pg_stat_statements')
  const notGranted = await acme.admin.get(url)
  await app.owner.query('grant execute on function pg_stat_statements(boolean), pg_stat_statements_info() to app')
  await other.member.post('/api/leads/', { last_name: 'Unmistakable', email: 'unmistakable@engines.example' })
  await other.member.get('/api/leads/?search=unmistakable')
  await app.services.db.pool.query(
    `select 'Unmistakable literal' as text, 4711 from crm.leads where last_name = 'Unmistakable'`,
  )
  await app.services.db.pool.query(`set application_name = 'Unmistakable setting'`)

  const { status, body, text } = await acme.admin.get(url)

  assert.deepEqual([without.status, without.body.available, without.body.statements], [200, false, []])
  assert.match(without.body.reason, /pg_stat_statements is not installed/)
  assert.match(notGranted.body.reason, /Grant it execute on the functions/)
  assert.deepEqual([status, body.available, body.reason], [200, true, null])
  assert.doesNotMatch(text, /unmistakable|4711/i)
  const queries: string[] = body.statements.map(({ query }: { query: string }) => query)
  assert.ok(queries.some((query) => /^select \$1 as text/.test(query)))
  assert.ok(queries.some((query) => /insert into "?crm"?\."?leads/.test(query)))
  const shares = body.statements.map(({ share_rate }: { share_rate: number }) => share_rate)
  assert.deepEqual(
    shares,
    shares.toSorted((a: number, b: number) => b - a),
  )
})

test('statements can be ordered and limited', async () => {
  const { admin } = await app.tenant()

  const { body } = await admin.get(`${url}?sort=calls&limit=5`)
  const invalid = await admin.get(`${url}?sort=name`)

  const calls = body.statements.map((statement: { calls: number }) => statement.calls)
  assert.deepEqual(
    calls,
    calls.toSorted((a: number, b: number) => b - a),
  )
  assert.deepEqual([calls.length, invalid.status], [5, 422])
})

test('slow statements of the workspace are sampled with their request, without values', async () => {
  const [acme, other] = [await app.tenant(), await app.tenant()]
  await acme.anonymous.get('/slow', { 'x-request-id': 'slow-request' })

  const samplesOf = async ({ admin }: typeof acme) => (await admin.get(url)).body.samples
  await waitUntil(async () => (await samplesOf(acme)).length > 0)

  const [sample, ...more] = await samplesOf(acme)
  assert.deepEqual([sample.operation, sample.request_id, more], ['select crm.contacts', 'slow-request', []])
  assert.ok(sample.duration_ms > 500)
  assert.deepEqual(await samplesOf(other), [])
})

test('at most 1,000 samples of a workspace are kept', async () => {
  const acme = await app.tenant()
  await acme.sql(
    `insert into platform.slow_statements (tenant_id, id, operation, duration_ms, rows, occurred_at)
     select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'select crm.leads', 600, 1, now()
     from generate_series(1, 1005) as n`,
    [acme.id],
  )

  await acme.anonymous.get('/slow')

  const countSamples = async () =>
    (await acme.sql('select count(*)::int as n from platform.slow_statements where tenant_id = $1', [acme.id])).rows[0]
      .n
  await waitUntil(async () => (await countSamples()) === 1_000)
})
