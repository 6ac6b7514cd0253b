import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { daysLater } from '#platform/clock'
import { inSystem, type SystemTx } from '#platform/db'
import { storageKey } from '#platform/storage'
import { startTestApp, waitUntil } from '#testing'
import { createOperator } from '../../../../commands/operator.stand-in.ts'
import { purgeDueTenants } from './purge-tenant.jobs.ts'
import { getTenantStatus } from './tenant-status.ts'

const { config, services, tenant, owner, systemDb } = await startTestApp({}, { isOwn: true })
const operator = createOperator(config)
const { storage } = services
type Acme = Awaited<ReturnType<typeof tenant>>

const purge = (acme: Acme) => operator.run('tenant', 'purge', acme.slug, '--now', '--confirm', acme.slug, '--json')
const deleteNow = (acme: Acme) =>
  operator.run('tenant', 'delete', acme.slug, '--confirm', acme.slug, '--grace-days', '0')

/** Counts the rows of a tenant in all registered tables and all tables of the database. */
async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const { rows } = await owner.query(
    `select c.oid::regclass::text as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const tables = new Set([...Object.keys(services.registry.tables), ...rows.map(({ name }) => name)])
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await owner.query(`select count(*)::int from ${table} where tenant_id = $1`, [tenantId])
    counts[table] = rows[0].count
  }
  return counts
}

/** Each user reports to the previous one, so that the rows form a long reference chain. A purge deletes 1,000 in a transaction. */
const insertUsers = (acme: Acme, count: number) =>
  acme.sql(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, manager_id)
     select $1::uuid, md5($1::uuid || '' || n)::uuid, n || '@many.example', 'Person ' || n, 'member', 'active', true, 'admin', '',
       case when n > 1 then md5($1::uuid || '' || (n - 1))::uuid end
     from generate_series(1, $2::int) n`,
    [acme.id, count],
  )

const putFile = (tenantId: string, id: string) =>
  storage.put(storageKey(tenantId, 'uploads', id), Buffer.from('content'))

async function filesOf(tenantId: string): Promise<number> {
  let count = 0
  for await (const _ of storage.list(`${tenantId}/`)) count++
  return count
}

test('identity-1-8: a purge deletes all rows of the workspace and blocks its slug for 90 days', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  for (const { admin, anonymous, id } of [acme, beta]) {
    assert.equal((await admin.patch('/api/admin/settings', { ai: { api_key: 'sk-0123456789' } })).status, 200)
    await anonymous.post('/api/auth/forgot-password', { email: admin.email })
    await anonymous.post('/api/auth/login', { email: admin.email, password: 'wrong, quite wrong' })
    await putFile(id, 'one')
    await putFile(id, 'two')
  }
  await insertUsers(acme, 1_200)
  const [before, others] = [await rowsOf(acme.id), await rowsOf(beta.id)]
  await operator.run('tenant', 'delete', acme.slug, '--confirm', acme.slug)

  const purged = await purge(acme)

  for (const table of ['users', 'sessions', 'login_events', 'tenant_settings', 'tenant_secrets'])
    assert.ok(before[`identity.${table}`]! > 0, `${table} was empty`)
  assert.ok(before['platform.audit_log']! > 0 && before['platform.outbox_events']! > 0)
  assert.equal(purged.exitCode, 0, purged.err)
  assert.ok(purged.body.rows > 1_200)
  assert.deepEqual(
    Object.entries(await rowsOf(acme.id)).filter(([, count]) => count > 0),
    [],
  )
  assert.deepEqual([await filesOf(acme.id), await acme.jobs()], [0, []])
  assert.deepEqual(await rowsOf(beta.id), others, 'rows of another workspace were deleted')
  assert.equal(await filesOf(beta.id), 2)
  assert.ok((await beta.jobs()).length > 0)

  const { rows } = await owner.query(
    `select extract(day from blocked_until - released_at)::int as days, released_tenant from identity.tenant_slug_tombstones
     where slug = $1`,
    [acme.slug],
  )
  assert.deepEqual(rows, [{ days: 90, released_tenant: acme.id }])
  const create = [
    'tenant',
    'create',
    '--slug',
    acme.slug,
    '--name',
    'Successor',
    '--admin-email',
    'a@b.example',
    '--json',
  ]
  assert.equal((await operator.run(...create)).body.error.code, 'already_exists')
  await owner.query(`update identity.tenant_slug_tombstones set blocked_until = now() where slug = $1`, [acme.slug])
  const recreated = await operator.run(...create)
  assert.equal(recreated.exitCode, 0)
  assert.notEqual(recreated.body.tenant.id, acme.id)
})

/** PostgreSQL ends the statement of a killed client first. */
const openTransactions = `select from pg_stat_activity
  where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`

test('an interrupted purge cannot be undone and finishes when it is run again', async () => {
  const acme = await tenant()
  await insertUsers(acme, 4_000)
  await putFile(acme.id, 'one')
  await deleteNow(acme)
  const countUsers = async () =>
    (await acme.sql('select count(*)::int from identity.users where tenant_id = $1', [acme.id])).rows[0].count

  const { child } = operator.start('tenant', 'purge', acme.slug)
  const exit = once(child, 'exit')
  for (const all = await countUsers(); child.exitCode === null && (await countUsers()) === all; ) await sleep(5)
  child.kill('SIGKILL')
  await exit
  await waitUntil(async () => (await owner.query(openTransactions)).rowCount === 0)
  const left = await countUsers()
  const restored = await operator.run('tenant', 'restore', acme.slug)
  const finished = await operator.run('tenant', 'purge', acme.slug)

  assert.ok(left > 0, 'the purge finished before it was killed')
  assert.equal(restored.exitCode, 4)
  assert.equal(finished.exitCode, 0, finished.err)
  assert.equal(await countUsers(), 0)
  assert.equal(await filesOf(acme.id), 0)
  assert.equal((await operator.run('tenant', 'show', acme.slug)).exitCode, 3)
})

test('one of several concurrent purges of the same workspace succeeds', async () => {
  const acme = await tenant()
  await insertUsers(acme, 1_200)
  await deleteNow(acme)

  const results = await Promise.all([purge(acme), purge(acme), purge(acme)])

  const codes = results.map(({ exitCode }) => exitCode)
  assert.equal(codes.filter((code) => code === 0).length, 1, String(codes))
  assert.ok(
    codes.every((code) => [0, 3, 4].includes(code)),
    String(codes),
  )
  assert.ok(Object.values(await rowsOf(acme.id)).every((count) => count === 0))
})

test('the schedule purges due workspaces and keeps those that can still be restored', async () => {
  const [due, failing, later, open] = [await tenant(), await tenant(), await tenant(), await tenant()]
  await deleteNow(due)
  await deleteNow(failing)
  await operator.run('tenant', 'delete', later.slug, '--confirm', later.slug)
  const failures: string[] = []
  const contextAt = (now: Date) => ({
    inSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
    storage: {
      deletePrefix: (prefix: string) =>
        prefix.startsWith(failing.id) && now < daysLater(new Date(), 1)
          ? Promise.reject(new Error('The bucket is unavailable.'))
          : storage.deletePrefix(prefix),
    },
    now,
  })

  const tonight = await purgeDueTenants(contextAt(daysLater(new Date(), 0.01)), (slug) => failures.push(slug))
  const inAMonth = await purgeDueTenants(contextAt(daysLater(new Date(), 31)), (slug) => failures.push(slug))

  assert.deepEqual(
    tonight.map(({ slug }) => slug),
    [due.slug],
  )
  assert.deepEqual(failures, [failing.slug])
  assert.deepEqual(
    inAMonth.map(({ slug }) => slug),
    [failing.slug, later.slug],
  )
  assert.equal((await open.admin.get('/api/auth/me')).status, 200)
  const { rows } = await owner.query(
    `select operator, args->>'slug' as slug from identity.operator_audit where command = 'tenant purge' and target_tenant = $1`,
    [due.id],
  )
  assert.deepEqual(rows, [{ operator: 'schedule', slug: due.slug }])
})

test('the job status of a workspace follows its status until the purge', async () => {
  const acme = await tenant()
  const status = () => getTenantStatus(systemDb, acme.id)
  const statuses = [await status()]

  for (const command of [
    ['suspend', acme.slug, '--reason', 'x'],
    ['delete', acme.slug, '--confirm', acme.slug],
  ]) {
    await operator.run('tenant', ...command)
    statuses.push(await status())
  }
  await purge(acme)
  statuses.push(await status())

  assert.deepEqual(statuses, ['active', 'suspended', 'suspended', 'gone'])
})
