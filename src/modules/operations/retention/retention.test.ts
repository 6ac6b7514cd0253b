import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSystem } from '#platform/db'
import { idAt } from '#platform/ids'
import { startTestApp } from '#testing'
import { purgeOldRowsOf } from './retention.jobs.ts'

const { tenant, owner, systemDb, services, clock } = await startTestApp()
const day = 86_400_000
const tools = () => ({
  inSystem: <T>(work: Parameters<typeof inSystem<T>>[1]) => inSystem(systemDb, work),
  signal: new AbortController().signal,
  now: clock.now(),
})
const purge = (tenantId: string) => purgeOldRowsOf(tools(), tenantId, services.registry.tables)

async function signInsOf(tenantId: string, ...daysAgo: number[]) {
  for (const days of daysAgo) {
    const id = idAt(new Date(Date.now() - days * day)).replace(
      /0{12}$/,
      String(Math.random()).slice(2, 14).padEnd(12, '1'),
    )
    await owner.query(
      `insert into identity.login_events (tenant_id, id, email_hash, outcome, method, ip) values ($1, $2, '', 'success', 'password', '127.0.0.1')`,
      [tenantId, id],
    )
  }
}
const countOf = async (table: string, tenantId: string) =>
  (await owner.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [tenantId])).rows[0].n

test('sessions and their tokens go a week after their end, those of others stay', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  for (const { id } of [acme, other])
    await owner.query(
      `update identity.sessions set expires_at = now() - interval '8 days', idle_expires_at = now() - interval '8 days'
       where tenant_id = $1 and user_id in (select id from identity.users where tenant_id = $1 and role in ('member', 'viewer'))`,
      [id],
    )

  await purge(acme.id)

  assert.equal(await countOf('identity.sessions', acme.id), 2)
  assert.equal(await countOf('identity.refresh_tokens', acme.id), 2)
  assert.equal(await countOf('identity.sessions', other.id), 4)
})

test('sign-ins go when the workspace says so', async () => {
  const [acme, strict] = [await tenant(), await tenant()]
  await signInsOf(acme.id, 1, 100, 179, 181, 400)
  await signInsOf(strict.id, 1, 100, 179, 181, 400)
  await owner.query(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'retention', '{"login_history_days": 30}')`,
    [strict.id],
  )

  await purge(acme.id)
  await purge(strict.id)

  assert.equal(await countOf('identity.login_events', acme.id), 3)
  assert.equal(await countOf('identity.login_events', strict.id), 1)
})

test('a workspace without anything old loses nothing', async () => {
  const acme = await tenant()

  assert.equal(await purge(acme.id), 0)
  assert.equal(await countOf('identity.users', acme.id), 4)
})
