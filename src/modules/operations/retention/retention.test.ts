import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSystem } from '#platform/db'
import { minIdAt } from '#platform/ids'
import { startTestApp } from '#testing'
import { purgeTenantRows } from './retention.jobs.ts'

const { tenant, owner, systemDb, services, clock } = await startTestApp()
const day = 86_400_000
const purgeContext = () => ({
  inSystem: <T>(work: Parameters<typeof inSystem<T>>[1]) => inSystem(systemDb, work),
  signal: new AbortController().signal,
  now: clock.now(),
})
const purge = (tenantId: string) => purgeTenantRows(purgeContext(), tenantId, services.registry)

async function insertLoginEvents(tenantId: string, ...daysAgo: number[]) {
  for (const days of daysAgo) {
    const id = minIdAt(new Date(Date.now() - days * day)).replace(
      /0{12}$/,
      String(Math.random()).slice(2, 14).padEnd(12, '1'),
    )
    await owner.query(
      `insert into identity.login_events (tenant_id, id, email_hash, outcome, method, ip) values ($1, $2, '', 'success', 'password', '127.0.0.1')`,
      [tenantId, id],
    )
  }
}
const countRows = async (table: string, tenantId: string) =>
  (await owner.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [tenantId])).rows[0].n

test('expired sessions and their tokens are deleted after a week, only in the purged tenant', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  for (const { id } of [acme, other])
    await owner.query(
      `update identity.sessions set expires_at = now() - interval '8 days', idle_expires_at = now() - interval '8 days'
       where tenant_id = $1 and user_id in (select id from identity.users where tenant_id = $1 and role in ('member', 'viewer'))`,
      [id],
    )

  await purge(acme.id)

  assert.equal(await countRows('identity.sessions', acme.id), 2)
  assert.equal(await countRows('identity.refresh_tokens', acme.id), 2)
  assert.equal(await countRows('identity.sessions', other.id), 4)
})

test('login events are deleted after the retention period of the workspace', async () => {
  const [acme, shortRetention] = [await tenant(), await tenant()]
  await insertLoginEvents(acme.id, 1, 100, 179, 181, 400)
  await insertLoginEvents(shortRetention.id, 1, 100, 179, 181, 400)
  await owner.query(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'retention', '{"login_history_days": 30}')`,
    [shortRetention.id],
  )

  await purge(acme.id)
  await purge(shortRetention.id)

  assert.equal(await countRows('identity.login_events', acme.id), 3)
  assert.equal(await countRows('identity.login_events', shortRetention.id), 1)
})

test('a workspace without expired rows loses nothing', async () => {
  const acme = await tenant()

  assert.equal(await purge(acme.id), 0)
  assert.equal(await countRows('identity.users', acme.id), 4)
})
