import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inSystem, type SystemTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { Schedule, TenantSchedule } from '#platform/jobs'
import { startQueryPlans, startTestApp, startTestDb } from '#testing'
import { modules } from '../../src/modules.ts'
import { platformSchedules } from '../../src/schedules.ts'

const { services, systemDb } = await startTestApp()
const { owner, database, systemDb: emptyDb } = await startTestDb()
const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const section = page.split('\n## ').find((text) => text.startsWith('Schedules\n'))!
const schedules = [
  ...platformSchedules({ systemDb, clock: services.clock, signer: undefined as never }),
  ...modules.flatMap((module) => module.schedules?.(services) ?? []),
]

test('docs/operations.md lists every schedule', () => {
  const listed = [...section.matchAll(/^\| [^|]* \| `([a-z_.]+)`( \*)? +\|/gm)].map(([, name, mark]) =>
    mark ? `${name} per workspace` : name,
  )

  assert.deepEqual(
    listed.sort(),
    schedules.map((schedule) => ('runForTenant' in schedule ? `${schedule.name} per workspace` : schedule.name)).sort(),
  )
})

test('docs/architecture/jobs.md says how every schedule finds its work', () => {
  const jobsPage = readFileSync(new URL('../../docs/architecture/jobs.md', import.meta.url), 'utf8')
  const rows = jobsPage.matchAll(/^\| `([a-z_]+\.[a-z_]+)` +\| `([\d*/ ]+)` +\| /gm)

  assert.deepEqual(
    [...rows].map(([, name, cron]) => `${name} ${cron}`).sort(),
    schedules.map(({ name, cron }) => `${name} ${cron}`).sort(),
  )
})

test('a workspace without data is listed only by the schedules that concern every workspace', async () => {
  await owner.query(`insert into identity.tenants (id, slug, name) values ($1, 'empty', 'Empty')`, [newId()])
  const listing: string[] = []
  for (const schedule of schedules)
    if ('listTenants' in schedule) {
      const { name, listTenants } = schedule as TenantSchedule
      if ((await inSystem(emptyDb, (tx) => listTenants(tx, new Date(0)))).length) listing.push(name)
    }

  assert.deepEqual(listing.sort(), [
    'enablement.create_coaching_presets',
    'operations.back_up_tenants',
    'operations.check_integrity_nightly',
    'operations.purge_old_rows',
    'platform.sweep_files',
  ])
})

test('schedules find the workspaces with work by index', async () => {
  await owner.query(`alter database ${database.name} set enable_seqscan = off`)
  const { systemPlanOf } = await startQueryPlans({ owner, database })
  const { signal } = new AbortController()
  const log = { info() {}, warn() {}, error() {} }
  const run = (tx: SystemTx, schedule: Schedule) =>
    schedule.run({
      inSystem: (work) => work(tx),
      openTenant: async () => undefined,
      signal,
      drainSignal: signal,
      log,
    })
  const others = ['platform.requeue_lost_tasks', 'operations.end_lost_cleanings']
  let planned = 0

  for (const schedule of schedules) {
    if (!('listTenants' in schedule) && !others.includes(schedule.name)) continue
    const plan = await systemPlanOf((tx) =>
      'listTenants' in schedule ? (schedule as TenantSchedule).listTenants(tx, new Date()) : run(tx, schedule),
    )
    assert.match(plan, /Index (Only )?Scan/, schedule.name)
    assert.doesNotMatch(plan, /Seq Scan on/, `${schedule.name}\n${plan}`)
    planned++
  }
  assert.ok(planned > 20)
})
