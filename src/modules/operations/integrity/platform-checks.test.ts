import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import type { IntegrityCheck } from '#platform/module'
import { storageKey } from '#platform/storage'
import { startTestApp } from '#testing'
import { rescoreTask } from '../../crm/people/scoring/rescore.jobs.ts'
import { createIntegrityRunner } from './integrity.fixture.ts'
import { repairFindings, runIntegrityChecks } from './integrity.flow.ts'

const { tenant, services, clock, owner, db } = await startTestApp({}, { isOwn: true })
const { storage } = services
const { find, repair, assertRepairs } = createIntegrityRunner(services)
const [acme, other] = [await tenant(), await tenant()]
const silent = { error() {} }

const insertFile = (tenantId: string, id: string) =>
  owner.query(
    `insert into platform.files (tenant_id, id, purpose, filename, media_type, size_bytes, sha256, scan_status, scan_engine, created_at)
     values ($1, $2, 'test', 'a.pdf', 'application/pdf', 100, sha256('a'), 'skipped', 'none', now() - interval '2 days')`,
    [tenantId, id],
  )

test('events that were not published for ten minutes are reported', async () => {
  await acme.manager.post('/api/teams/', { name: 'Sales' })
  await other.manager.post('/api/teams/', { name: 'Sales' })
  const recent = await find(acme.id, 'outbox_lag')
  await owner.query(`update platform.outbox_events set published_at = now() where tenant_id = $1`, [other.id])
  await owner.query(`update platform.outbox_events set occurred_at = now() - interval '3 days' where tenant_id = $1`, [
    acme.id,
  ])

  const late = await find(acme.id, 'outbox_lag')

  const { rows } = await owner.query('select id from platform.outbox_events where tenant_id = $1 order by id', [
    acme.id,
  ])
  assert.deepEqual(recent, [])
  assert.deepEqual(
    late,
    rows.map(({ id }) => id),
  )
  assert.ok(late.length >= 1)
  assert.deepEqual(await find(other.id, 'outbox_lag'), [])
  await owner.query(`update platform.outbox_events set published_at = now()`)
})

test('files without content and content without a file are reported, and old content is deleted', async () => {
  const [complete, missing, orphan, foreignOrphan] = [newId(), newId(), newId(), newId()]
  await storage.put(storageKey(acme.id, 'files', complete), Buffer.from('a'))
  await storage.put(storageKey(acme.id, 'files', orphan), Buffer.from('a'))
  await storage.put(storageKey(other.id, 'files', foreignOrphan), Buffer.from('a'))
  await insertFile(acme.id, complete)
  await insertFile(acme.id, missing)
  await insertFile(other.id, newId())

  const young = await find(acme.id, 'file_orphan')
  clock.advance(2 * 86_400)

  assert.deepEqual(young, [])
  assert.deepEqual(await find(acme.id, 'file_missing'), [missing])
  await assertRepairs(acme.id, 'file_orphan', [storageKey(acme.id, 'files', orphan)])
  await assert.doesNotReject(storage.head(storageKey(acme.id, 'files', complete)))
  await assert.doesNotReject(storage.head(storageKey(other.id, 'files', foreignOrphan)))
  await assert.rejects(repair(acme.id, 'file_missing'), { code: 'not_found' })
})

test('used bytes that differ from the files are reported and counted again', async () => {
  await insertFile(acme.id, newId())
  await acme.sql(`update platform.file_usage set bytes = bytes + 5 where tenant_id = any($1)`, [[acme.id, other.id]])

  await assertRepairs(acme.id, 'counter_drift', [acme.id])

  const { rows } = await owner.query(
    `select bytes::int, (select sum(size_bytes)::int from platform.files f where f.tenant_id = u.tenant_id) as stored
     from platform.file_usage u where tenant_id = $1`,
    [acme.id],
  )
  assert.equal(rows[0].bytes, rows[0].stored)
  assert.deepEqual(await find(other.id, 'counter_drift'), [other.id])
})

test('jobs without a heartbeat are reported and requeued without losing an attempt', async () => {
  for (const { id } of [acme, other])
    await inTenant(db, systemActor(id), (tx) =>
      enqueue(tx, rescoreTask.job, { task_id: newId(), payload: { version: 1 } }),
    )
  await owner.query(
    `update pgboss.job_common set state = 'active', started_on = now() - interval '2 hours', heartbeat_on = now() - interval '61 minutes'`,
  )
  const { rows } = await owner.query('select id, retry_limit from pgboss.job_common where group_id = $1', [acme.id])

  await assertRepairs(acme.id, 'stuck_jobs', [rows[0].id])

  const { rows: after } = await owner.query(
    `select group_id, state::text, retry_limit from pgboss.job_common where data ->> 'job' = $1 order by group_id = $2 desc`,
    [rescoreTask.job.name, acme.id],
  )
  assert.deepEqual(after, [
    { group_id: acme.id, state: 'retry', retry_limit: rows[0].retry_limit + 1 },
    { group_id: other.id, state: 'active', retry_limit: rows[0].retry_limit },
  ])
  await owner.query('delete from pgboss.job_common')
})

test('a table without forced row-level security or without its policy is reported', async () => {
  await owner.query('alter table identity.teams no force row level security')
  await owner.query('drop policy tenant_isolation on crm.leads')

  const found = await find(acme.id, 'rls_not_forced')

  await owner.query('alter table identity.teams force row level security')
  await owner.query(`create policy tenant_isolation on crm.leads using (tenant_id = (select platform.current_tenant_id()))
    with check (tenant_id = (select platform.current_tenant_id()))`)
  assert.deepEqual(found, ['crm.leads', 'identity.teams'])
  assert.deepEqual(await find(acme.id, 'rls_not_forced'), [])
})

const run = {
  tenantId: acme.id,
  inTenant: (work: Parameters<typeof inTenant>[2]) => inTenant(db, systemActor(acme.id), work),
  signal: new AbortController().signal,
} as Parameters<typeof runIntegrityChecks>[1]

const describe = (code: string) => ({ code, title: code, severity: 'warning' as const, hint: 'Nothing.' })
const toRecords = (length: number) => Array.from({ length }, () => ({ resource_type: 'lead', id: newId() }))

test('findings are counted up to 1,000, and the contributions of modules to one code are merged', async () => {
  const checks: IntegrityCheck[] = [
    { ...describe('many'), find: async (_, limit) => toRecords(limit) },
    { ...describe('drift'), find: async () => [] },
    { ...describe('drift'), severity: 'error', find: async () => toRecords(3), repair: async () => 0 },
  ]

  const [many, drift, ...others] = await runIntegrityChecks(checks, run, silent)

  assert.partialDeepStrictEqual(many, { status: 'found', count: 1_000, count_relation: 'gte', repairable: false })
  assert.equal(many!.samples.length, 20)
  assert.partialDeepStrictEqual(drift, {
    status: 'found',
    severity: 'error',
    count: 3,
    count_relation: 'eq',
    repairable: true,
  })
  assert.deepEqual(others, [])
})

test('a slow check is skipped and a failing one reported, and the others still run', async () => {
  const fail = (code: string) => async () => {
    throw Object.assign(new Error('failed'), { code })
  }
  const checks: IntegrityCheck[] = [
    { ...describe('slow'), find: fail('57014') },
    { ...describe('broken'), find: fail('42P01') },
    { ...describe('fine'), find: async () => [] },
  ]

  const results = await runIntegrityChecks(checks, run, silent)

  assert.deepEqual(
    results.map(({ status }) => status),
    ['skipped', 'error', 'ok'],
  )
})

test('a repair ends if its findings stay although it counts them, and is audited if it changed something', async () => {
  const stuck = toRecords(250)
  let calls = 0
  const checks: IntegrityCheck[] = [
    {
      ...describe('stubborn'),
      find: async () => stuck,
      repair: async (_, found) => {
        calls++
        return found.length
      },
    },
  ]

  const { repaired } = await repairFindings(checks, run, { code: 'stubborn', isDryRun: false })

  assert.deepEqual([calls, repaired], [2, 250])
  assert.ok((await acme.audit()).includes('data_integrity.repaired'))
})
