import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { daysLater } from '#platform/clock'
import { inSystem, type SystemTx } from '#platform/db'
import { storageKey } from '#platform/storage'
import { startTestApp } from '#testing'
import { operatorOf } from '../../../commands/operator.stand-in.ts'
import { purgeDueTenants } from './purge-tenant.jobs.ts'
import { tenantStatus } from './tenant-status.ts'

const { config, services, tenant, owner, systemDb } = await startTestApp()
const operator = operatorOf(config)
const { storage } = services
type Acme = Awaited<ReturnType<typeof tenant>>

const purge = (acme: Acme) => operator.says('tenant', 'purge', acme.slug, '--now', '--confirm', acme.slug, '--json')
const deleteNow = (acme: Acme) =>
  operator.says('tenant', 'delete', acme.slug, '--confirm', acme.slug, '--grace-days', '0')

/** How many rows of a workspace each table holds, over all tables the modules have registered and all the database knows. */
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

/** Everyone reports to the one before, which is as entangled as rows can be. */
const addPeople = (acme: Acme, howMany: number) =>
  acme.sql(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, manager_id)
     select $1::uuid, md5($1::uuid || '' || n)::uuid, n || '@many.example', 'Person ' || n, 'member', 'active', true, 'admin', '',
       case when n > 1 then md5($1::uuid || '' || (n - 1))::uuid end
     from generate_series(1, $2::int) n`,
    [acme.id, howMany],
  )

const putFile = (tenantId: string, id: string) =>
  storage.put(storageKey(tenantId, 'uploads', id), Buffer.from('content'))

async function filesOf(tenantId: string): Promise<number> {
  let count = 0
  for await (const _ of storage.list(`${tenantId}/`)) count++
  return count
}

test('identity-1-8: after a purge no table holds a row of the workspace, and its slug is blocked for 90 days', async () => {
  const [acme, beta] = [await tenant(), await tenant()]
  for (const { admin, anonymous, id } of [acme, beta]) {
    assert.equal((await admin.patch('/api/admin/settings', { ai: { api_key: 'sk-0123456789' } })).status, 200)
    await anonymous.post('/api/auth/forgot-password', { email: admin.email })
    await anonymous.post('/api/auth/login', { email: admin.email, password: 'wrong, quite wrong' })
    await putFile(id, 'one')
    await putFile(id, 'two')
  }
  await addPeople(acme, 6_000)
  const [before, others] = [await rowsOf(acme.id), await rowsOf(beta.id)]
  await operator.says('tenant', 'delete', acme.slug, '--confirm', acme.slug)

  const purged = await purge(acme)

  for (const table of ['users', 'sessions', 'login_events', 'tenant_settings', 'tenant_secrets'])
    assert.ok(before[`identity.${table}`]! > 0, `nothing was in ${table}`)
  assert.ok(before['platform.audit_log']! > 0 && before['platform.outbox_events']! > 0)
  assert.equal(purged.exitCode, 0, purged.err)
  assert.ok(purged.body.rows > 6_000)
  assert.deepEqual(
    Object.entries(await rowsOf(acme.id)).filter(([, count]) => count > 0),
    [],
  )
  assert.deepEqual([await filesOf(acme.id), await acme.jobs()], [0, []])
  assert.deepEqual(await rowsOf(beta.id), others, 'another workspace lost something')
  assert.equal(await filesOf(beta.id), 2)
  assert.ok((await beta.jobs()).length > 0)

  const { rows } = await owner.query(
    `select extract(day from blocked_until - released_at)::int as days, released_tenant from identity.tenant_slug_tombstones
     where slug = $1`,
    [acme.slug],
  )
  assert.deepEqual(rows, [{ days: 90, released_tenant: acme.id }])
  const create = ['tenant', 'create', '--slug', acme.slug, '--name', 'Heir', '--admin-email', 'a@b.example', '--json']
  assert.equal((await operator.says(...create)).body.error.code, 'already_exists')
  await owner.query(`update identity.tenant_slug_tombstones set blocked_until = now() where slug = $1`, [acme.slug])
  const heir = await operator.says(...create)
  assert.equal(heir.exitCode, 0)
  assert.notEqual(heir.body.tenant.id, acme.id)
})

test('a purge that was killed half-way cannot be undone, and is finished by calling it again', async () => {
  const acme = await tenant()
  await addPeople(acme, 12_000)
  await putFile(acme.id, 'one')
  await deleteNow(acme)
  const peopleLeft = async () =>
    (await acme.sql('select count(*)::int from identity.users where tenant_id = $1', [acme.id])).rows[0].count

  const { child } = operator.start('tenant', 'purge', acme.slug)
  for (const all = await peopleLeft(); child.exitCode === null && (await peopleLeft()) === all; ) await sleep(5)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const left = await peopleLeft()
  const restored = await operator.says('tenant', 'restore', acme.slug)
  const finished = await operator.says('tenant', 'purge', acme.slug)

  assert.ok(left > 0, 'it was over before it could be killed')
  assert.equal(restored.exitCode, 4)
  assert.equal(finished.exitCode, 0, finished.err)
  assert.equal(await peopleLeft(), 0)
  assert.equal(await filesOf(acme.id), 0)
  assert.equal((await operator.says('tenant', 'show', acme.slug)).exitCode, 3)
})

test('of several purges of the same workspace at once one finishes it', async () => {
  const acme = await tenant()
  await addPeople(acme, 6_000)
  await deleteNow(acme)

  const answers = await Promise.all([purge(acme), purge(acme), purge(acme)])

  const codes = answers.map(({ exitCode }) => exitCode)
  assert.equal(codes.filter((code) => code === 0).length, 1, String(codes))
  assert.ok(
    codes.every((code) => [0, 3, 4].includes(code)),
    String(codes),
  )
  assert.ok(Object.values(await rowsOf(acme.id)).every((count) => count === 0))
})

test('the timetable purges what is due and leaves what can still be restored', async () => {
  const [due, failing, later, open] = [await tenant(), await tenant(), await tenant(), await tenant()]
  await deleteNow(due)
  await deleteNow(failing)
  await operator.says('tenant', 'delete', later.slug, '--confirm', later.slug)
  const failures: string[] = []
  const tools = (now: Date) => ({
    inSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
    storage: {
      deletePrefix: (prefix: string) =>
        prefix.startsWith(failing.id) && now < daysLater(new Date(), 1)
          ? Promise.reject(new Error('The bucket is away.'))
          : storage.deletePrefix(prefix),
    },
    now,
  })

  const tonight = await purgeDueTenants(tools(daysLater(new Date(), 0.01)), (slug) => failures.push(slug))
  const inAMonth = await purgeDueTenants(tools(daysLater(new Date(), 31)), (slug) => failures.push(slug))

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

test('jobs of a workspace that is closed for a while wait, those of one that is gone do not', async () => {
  const acme = await tenant()
  const status = () => tenantStatus(systemDb, acme.id)
  const seen = [await status()]

  for (const command of [
    ['suspend', acme.slug, '--reason', 'x'],
    ['delete', acme.slug, '--confirm', acme.slug],
  ]) {
    await operator.says('tenant', ...command)
    seen.push(await status())
  }
  await purge(acme)
  seen.push(await status())

  assert.deepEqual(seen, ['active', 'suspended', 'suspended', 'gone'])
})
