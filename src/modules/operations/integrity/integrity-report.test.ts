import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp, waitForValue } from '#testing'
import { checkIntegritySchedule } from './integrity.jobs.ts'

const app = await startTestApp()
await app.startTestWorker()
const url = '/api/admin/data-integrity'
type Acme = Awaited<ReturnType<typeof app.tenant>>

const finish = (acme: Acme, statusUrl: string) =>
  waitForValue(
    async () => (await acme.admin.get(statusUrl)).body,
    ({ state }) => state === 'succeeded',
  )

async function check(acme: Acme, code: string) {
  const { body } = await acme.admin.post(`${url}/run`)
  await finish(acme, body.status_url)
  const report = (await acme.admin.get(url)).body
  return { report, result: report.checks.find((candidate: { code: string }) => candidate.code === code) }
}

test('the first report is produced on demand, and a run in progress is not started twice', async () => {
  const acme = await app.tenant()

  const first = await acme.admin.get(url)
  const running = (await acme.admin.get('/api/tasks/?kind=operations.check_integrity')).body.items
  const body = await waitForValue(
    async () => (await acme.admin.get(url)).body,
    ({ state }) => state === 'finished',
  )

  assert.deepEqual([first.status, first.body.state, first.body.checks], [200, 'never_run', []])
  assert.equal(running.length, 1)
  assert.deepEqual([body.state, body.status, body.run_id], ['finished', 'ok', running[0].task_id])
  assert.ok(body.checks.length > 10 && body.finished_at >= body.started_at)
})

test('a finding is reported, listed by a dry run without a change, repaired, and then gone', async () => {
  const acme = await app.tenant()
  const { id } = (await acme.member.post('/api/leads/', { last_name: 'Moss', email: 'moss@acme.example' })).body
  await acme.sql(`update crm.leads set grade = 'A', score = 0 where id = $1`, [id])
  const repairUrl = `${url}/lead_grade_stale/repair`

  const before = await check(acme, 'lead_grade_stale')
  const dryRun = await finish(acme, (await acme.admin.post(repairUrl, {})).body.status_url)
  const unchanged = await check(acme, 'lead_grade_stale')
  const repair = await finish(acme, (await acme.admin.post(repairUrl, { dry_run: false })).body.status_url)
  const after = await check(acme, 'lead_grade_stale')

  assert.deepEqual(
    [before.result.status, before.result.count, before.result.samples],
    ['found', 1, [{ resource_type: 'lead', id }]],
  )
  assert.deepEqual([dryRun.result.repaired, dryRun.result.found.length], [0, 1])
  assert.equal(unchanged.result.count, 1)
  assert.equal(repair.result.repaired, 1)
  assert.deepEqual([after.result.status, after.result.count], ['ok', 0])
  const audit = (await acme.admin.get('/api/admin/audit-log?action=data_integrity.repaired')).body.items
  assert.equal(audit.length, 1)
})

test('unknown checks and checks without a repair are not found, and admins only may repair', async () => {
  const acme = await app.tenant()

  const unknown = await acme.admin.post(`${url}/nothing/repair`, {})
  const notRepairable = await acme.admin.post(`${url}/audit_chain/repair`, {})
  const denied = [await acme.manager.get(url), await acme.manager.post(`${url}/run`), await acme.anonymous.get(url)]

  assert.deepEqual([unknown.status, notRepairable.status], [404, 404])
  assert.deepEqual(
    denied.map(({ status }) => status),
    [403, 403, 401],
  )
})

test('the nightly schedule writes the report of every workspace', async () => {
  const acme = await app.tenant()

  await runTenantSchedule(app, checkIntegritySchedule(app.services))

  assert.equal((await acme.admin.get(url)).body.state, 'finished')
})
