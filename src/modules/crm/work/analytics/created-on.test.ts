import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { waitForValue } from '#testing'
import { startAnalyticsApp } from './analytics.fixture.ts'
import { recomputeCreatedOnBatch } from './rollups.service.ts'

const { tenant, addLeads, fold, startTestWorker, db } = await startAnalyticsApp()

test('a new time zone moves leads to other days without changing their versions', async () => {
  const acme = await tenant()
  await startTestWorker()
  const [late] = await addLeads(acme, 1, { created_on: '2026-03-02', created_at: '2026-03-02T23:30:00Z' })
  await addLeads(acme, 1, { created_on: '2026-03-02', created_at: '2026-03-02T23:30:00Z', deleted_at: '2026-03-04' })
  await addLeads(acme, 1, { created_on: '2026-03-02', created_at: '2026-03-02T12:00:00Z' })
  await fold()
  const byDay = async () => {
    const { body } = await acme.viewer.get('/api/leads/analytics?from=2026-03-02&to=2026-03-03&granularity=day')
    return body.trend.map(({ created }: { created: number }) => created)
  }
  const before = await byDay()

  const { status } = await acme.admin.patch('/api/admin/settings', { general: { timezone: 'Europe/Berlin' } })
  const unfolded = await waitForValue(byDay, ([, second]) => second !== 0)
  await fold()

  assert.equal(status, 200)
  assert.deepEqual(
    [before, unfolded, await byDay()],
    [
      [2, 0],
      [1, 1],
      [1, 1],
    ],
  )
  assert.equal((await acme.viewer.get(`/api/leads/${late}`)).body.version, 1)
  const { rows } = await acme.sql(
    'select created_on::text as day from crm.leads where tenant_id = $1 and deleted_at is not null',
    [acme.id],
  )
  assert.deepEqual(rows, [{ day: '2026-03-03' }])
})

test('other settings do not recompute created_on, and a second pass changes nothing', async () => {
  const acme = await tenant()
  await addLeads(acme, 3)

  await acme.admin.patch('/api/admin/settings', { general: { locale: 'de' } })
  const batch = await inTenant(db, systemActor(acme.id), (tx) => recomputeCreatedOnBatch(tx, nilUuid))

  assert.equal(batch?.changed, 0)
  assert.ok(!(await acme.jobs()).includes('crm.redate_leads'))
})
