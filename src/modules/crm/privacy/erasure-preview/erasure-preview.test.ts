import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp, waitForTask, waitUntil } from '#testing'
import { processMarksSchedule } from '../../../plg/maintenance/process-marks.jobs.ts'
import { type Acme, bodyOf, confirmation, createKnownPerson, eraseLeadOf, markers } from '../erasure/erasure.fixture.ts'

const app = await startTestApp()
const { tenant, services, startTestWorker } = app
await startTestWorker()

const preview = async (acme: Acme, url: string, body: object = {}) =>
  await waitForTask(acme, bodyOf(await acme.admin.post(`${url}/erase/preview`, body), 202))

/**
 * Waits until the worker has handled the events of the person, some of which add rows, as does the usage of the product. Jobs that are due
 * much later, such as deadlines, do not.
 */
async function waitUntilHandled({ id, sql }: Acme): Promise<void> {
  await runTenantSchedule(app, processMarksSchedule(services))
  await waitUntil(async () => {
    const { rows } = await sql(
      `select from platform.outbox_events where tenant_id = $1 and published_at is null
       union all
       select from pgboss.job where group_id = $1::text and state in ('created', 'retry', 'active')
         and start_after <= now() + interval '1 minute'`,
      [id],
    )
    return rows.length === 0
  }, 90)
}

/** The number of rows about the person by table; of the platform only those that do not change by the task itself. */
async function countMarkedRows({ id, sql }: Acme): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const isCounted = (table: string) => !table.startsWith('platform.') || table === 'platform.idempotency_keys'
  for (const table of Object.keys(services.registry.tables).filter(isCounted)) {
    const { rows } = await sql(`select lower(t::text) as row from ${table} t where tenant_id = $1`, [id])
    counts[table] = rows.filter(({ row }) => markers.some((marker) => row.includes(marker))).length
  }
  return counts
}

test('a preview changes nothing and has the counts of the erasure that follows', async () => {
  const acme = await tenant()
  const { lead, contact } = await createKnownPerson(acme)

  await waitUntilHandled(acme)
  const before = await countMarkedRows(acme)

  const previews = [
    await preview(acme, `/api/leads/${lead.id}`),
    await preview(acme, `/api/contacts/${contact.id}`, { keep_suppression: true }),
  ]
  const after = await countMarkedRows(acme)
  const erased = await eraseLeadOf(acme, lead.id)

  assert.deepEqual(after, before)
  assert.deepEqual([previews[0].state, erased.state], ['succeeded', 'succeeded'], JSON.stringify(previews))
  assert.ok(previews[0].result.counts['crm.leads'] >= 4)
  assert.deepEqual(previews[0].result, erased.result)
  assert.deepEqual(previews[1].result, erased.result)
})

const moss = { last_name: 'Moss', email: 'moss@acme.de', phone: '+44 20 7946 0123' }

test('a preview without suppressions, of an erased person, and during an erasure', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', moss))
  const url = `/api/leads/${lead.id}`

  const first = await preview(acme, url, { keep_suppression: false })
  const erased = await eraseLeadOf(acme, lead.id, { ...confirmation, keep_suppression: false })
  const again = await preview(acme, url)
  const open = bodyOf(await acme.admin.post('/api/leads/', moss))
  await acme.sql(
    `insert into crm.erasure_requests (tenant_id, id, subject_hash, record_type, record_id, keep_suppression, created_at)
     select tenant_id, gen_random_uuid(), subject_hash, record_type, $2, true, now() from crm.erasure_requests where tenant_id = $1`,
    [acme.id, open.id],
  )
  const during = await preview(acme, `/api/leads/${open.id}`)

  assert.deepEqual(first.result, erased.result)
  assert.deepEqual(again.result, { counts: {} })
  assert.deepEqual([during.state, during.error.code], ['failed', 'conflict'])
})

test('only admins preview the erasure of a person, and none of another workspace', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', moss))
  const url = `/api/leads/${lead.id}/erase/preview`

  const manager = await acme.manager.post(url, {})
  const foreign = await (await tenant()).admin.post(url, {})

  assert.deepEqual([manager.status, foreign.status], [403, 404])
})
