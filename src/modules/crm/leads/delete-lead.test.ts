import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemIn } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { runScheduleNow } from '#platform/jobs'
import { startTestApp } from '#testing'
import { kinds, purgeSome } from '../deleted/purge.queries.ts'
import { holdAddress, lockAnyLead } from './leads.queries.ts'

const { tenant, db, clock, startTestWorker } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/leads/'
const capture = async (acme: Acme, lead: object = {}) =>
  (await acme.member.post(url, { last_name: 'Moss', ...lead })).body

test('a member deletes what is theirs, a manager anything, and a deleted lead is gone', async () => {
  const acme = await tenant()
  const [own, colleagues, stale] = [
    await capture(acme),
    await capture(acme, { owner_id: acme.manager.userId }),
    await capture(acme),
  ]

  const refused = await acme.member.delete(`${url}${colleagues.id}`)
  const late = await acme.member.delete(`${url}${stale.id}`, { 'if-match': '"7"' })
  const deleted = await acme.member.delete(`${url}${own.id}`)
  const byManager = await acme.manager.delete(`${url}${colleagues.id}`)

  assert.deepEqual([refused.status, refused.body.code], [403, 'role_required'])
  assert.equal(late.status, 412)
  assert.deepEqual([deleted.status, deleted.text, byManager.status], [204, '', 204])
  for (const method of ['get', 'delete'] as const)
    assert.equal((await acme.manager[method](`${url}${own.id}`)).status, 404, method)
  assert.equal((await acme.member.patch(`${url}${own.id}`, { title: 'x' })).status, 404)
  assert.deepEqual(
    (await acme.member.get(url)).body.items.map(({ id }: { id: string }) => id),
    [stale.id],
  )
  assert.equal((await acme.events()).filter((type) => type === 'lead.deleted').length, 2)
})

test('two who delete the same lead delete it once', async () => {
  const acme = await tenant()
  const { id } = await capture(acme)

  const answers = await Promise.all([acme.manager.delete(`${url}${id}`), acme.admin.delete(`${url}${id}`)])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404])
  assert.equal((await acme.events()).filter((type) => type === 'lead.deleted').length, 1)
})

test('a deleted lead can be brought back for 30 days, by managers and whoever deleted it', async () => {
  const acme = await tenant()
  const [mine, theirs, old] = [await capture(acme), await capture(acme), await capture(acme)]
  await acme.member.delete(`${url}${mine.id}`)
  for (const { id } of [theirs, old]) await acme.manager.delete(`${url}${id}`)
  await acme.sql(`update crm.leads set deleted_at = now() - interval '31 days' where id = $1`, [old.id])
  const restore = (by: 'member' | 'manager', { id }: { id: string }) => acme[by].post(`${url}${id}/restore`)

  const own = await restore('member', mine)
  const refused = await restore('member', theirs)
  const byManager = await restore('manager', theirs)
  const twice = await restore('manager', theirs)
  const late = await restore('manager', old)

  assert.deepEqual([own.status, own.body.id, own.body.deleted_at], [200, mine.id, null])
  assert.deepEqual([refused.status, refused.body.code], [403, 'role_required'])
  assert.equal(byManager.status, 200)
  assert.deepEqual([twice.status, late.status], [404, 404])
  assert.equal((await acme.events()).filter((type) => type === 'lead.restored').length, 2)
})

test('a lead whose address was taken meanwhile stays where it is', async () => {
  const acme = await tenant()
  await acme.manager.put('/api/leads/settings', { duplicates: { lead_email: 'reject' } })
  const first = await capture(acme, { email: 'ann@acme.example' })
  await acme.manager.delete(`${url}${first.id}`)
  const second = await capture(acme, { email: 'ANN@acme.example' })

  const { status, body } = await acme.manager.post(`${url}${first.id}/restore`)

  assert.deepEqual([status, body.code, body.existing_id], [409, 'already_exists', second.id])
})

test('a lead that was merged says where it went', async () => {
  const acme = await tenant()
  const [kept, lost] = [await capture(acme), await capture(acme)]
  await acme.sql('update crm.leads set deleted_at = now(), merged_into_id = $2 where id = $1', [lost.id, kept.id])

  const { status, body } = await acme.member.get(`${url}${lost.id}`)

  assert.deepEqual([status, body.code, body.merged_into_id], [404, 'not_found', kept.id])
  assert.equal((await acme.manager.post(`${url}${lost.id}/restore`)).status, 404)
})

test('after a month deleted leads go for good, with all that hangs on them, and nothing else', async () => {
  const acme = await tenant()
  const [old, recent, live] = [await capture(acme, { tags: ['x'] }), await capture(acme), await capture(acme)]
  for (const { id } of [old, recent]) await acme.manager.delete(`${url}${id}`)
  await acme.sql(`update crm.leads set deleted_at = now() - interval '31 days' where id = $1`, [old.id])
  await startTestWorker()

  await runScheduleNow('crm.purge_deleted')

  const left = async () =>
    (await acme.sql('select id from crm.leads where tenant_id = $1 order by id', [acme.id])).rows.map(({ id }) => id)
  for (let tries = 0; tries < 100 && (await left()).length > 2; tries++) await new Promise((go) => setTimeout(go, 50))
  assert.deepEqual(await left(), [recent.id, live.id])
  for (const table of [
    'record_tags where record_id',
    'field_provenance where entity_id',
    'lifecycle_events where lead_id',
  ])
    assert.deepEqual((await acme.sql(`select from crm.${table} = $1`, [old.id])).rows, [], table)
  const lead = kinds.find(({ type }) => type === 'lead')!
  const again = await inTenant(db, systemIn(acme.id), (tx) => purgeSome(tx, lead, daysLater(clock.now(), -30)))
  assert.equal(again, 0)
})

test('whoever restores a lead waits for its address ahead of the lead, so that nobody waits in a circle', async () => {
  const acme = await tenant()
  await acme.manager.put(`${url}settings`, { duplicates: { lead_email: 'reject' } })
  const { id } = await capture(acme, { email: 'ann@x.example' })
  await acme.member.delete(`${url}${id}`)

  let restored: Promise<{ status: number }> | undefined
  await inTenant(db, systemIn(acme.id), async (tx) => {
    await holdAddress(tx, 'ann@x.example')
    restored = acme.manager.post(`${url}${id}/restore`)
    await sleep(300)
    await lockAnyLead(tx, id)
  })

  assert.equal((await restored!).status, 200)
})
