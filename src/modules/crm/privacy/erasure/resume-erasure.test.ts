import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, startWorkerProcess, waitForTask, waitUntil } from '#testing'
import { bodyOf, confirmation, person } from './erasure.fixture.ts'

const { tenant, config, owner, startTestWorker } = await startTestApp()

test('another worker finishes the erasure of a killed worker and counts every row once', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', person))
  const contact = bodyOf(await acme.admin.post('/api/contacts/', person))
  const readName = async (table: string) =>
    (await acme.sql(`select name from crm.${table} where tenant_id = $1`, [acme.id])).rows[0].name
  const session = await owner.connect()
  await session.query('begin')
  await session.query('select from crm.contacts where id = $1 for update', [contact.id])
  const killed = await startWorkerProcess(config)

  const started = bodyOf(await acme.admin.post(`/api/leads/${lead.id}/erase`, confirmation), 202)
  await waitUntil(async () => (await readName('leads')) === 'Erased person')
  await killed.kill()
  const contactName = await readName('contacts')
  await session.query('rollback')
  session.release()
  // Simulates the job timeout of the killed worker.
  await acme.sql(
    `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
  )
  await startTestWorker()
  const { state, result } = await waitForTask(acme, started)

  assert.deepEqual([contactName, await readName('contacts')], ['Zephyrine Quackenbush', 'Erased person'])
  assert.equal(state, 'succeeded')
  assert.partialDeepStrictEqual(result, { counts: { 'crm.leads': 1, 'crm.contacts': 1 } })
})
