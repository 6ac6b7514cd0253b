import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask, waitForValue } from '#testing'
import { type Acme, createLeadWith, leadsUrl } from '../../people/leads/leads.fixture.ts'
import { bulkUpdate, createLeads } from './bulk.fixture.ts'

const { tenant, clock, owner, startTestWorker } = await startTestApp()

const day = 86_400
/** Ids without a lead fail, and make the action a task. */
const missingIds = Array.from({ length: 201 }, () => newId())

const getLead = async (acme: Acme, id: string) => (await acme.manager.get(`${leadsUrl}${id}`)).body
const undoUrl = ({ task_id }: { task_id: string }) => `${leadsUrl}bulk/${task_id}/undo`

async function startBulk(acme: Acme, request: object, ids: readonly string[]) {
  const { body, text } = await bulkUpdate(acme, { ...request, lead_ids: [...ids, ...missingIds] })
  assert.ok(body.task_id, text)
  return body
}

async function runBulk(acme: Acme, request: object, ids: readonly string[]) {
  const body = await startBulk(acme, request, ids)
  const { result } = await waitForTask(acme, body)
  assert.equal(result.succeeded, ids.length, JSON.stringify(result))
  return body
}

async function undo(acme: Acme, task: { task_id: string }) {
  const { status, body, text } = await acme.member.post(undoUrl(task))
  assert.equal(status, 202, text)
  const { state, result } = await waitForTask(acme, body)
  assert.equal(state, 'succeeded')
  return result
}

const fields = { company: 'Initech', country: 'DE', notes: 'Met', annual_revenue: { amount: '5.00', currency: 'EUR' } }

const actions = {
  assign: (acme: Acme) => ({ owner_id: acme.manager.userId }),
  set_status: () => ({ status: 'qualified' }),
  set_stage: () => ({ lifecycle_stage: 'mql' }),
  update_fields: () => ({ fields }),
  add_tags: () => ({ tags: ['fair', 'kept'] }),
  remove_tags: () => ({ tags: ['old'] }),
}

const changedFields =
  'owner_id status disqualify_reason lifecycle_stage company country notes annual_revenue tags'.split(' ')

test('an undo restores the leads, and skips those that were changed or deleted since', async () => {
  const acme = await tenant()
  const worker = await startTestWorker()
  const read = async (id: string) => {
    const lead = await getLead(acme, id)
    return changedFields.map((field) => lead[field])
  }

  await Promise.all(
    Object.entries(actions).map(async ([action, paramsOf]) => {
      const ids = await createLeads(acme, 4, { company: 'Acme', tags: ['old', 'kept'], phone: '030 901820' })
      const [one, other, edited, deleted] = ids as [string, string, string, string]
      const before = await read(one)
      const task = await runBulk(acme, { action, params: paramsOf(acme) }, ids)
      const after = await read(one)
      await acme.manager.patch(`${leadsUrl}${edited}`, { title: 'CEO' })
      await acme.manager.delete(`${leadsUrl}${deleted}`)

      const result = await undo(acme, task)
      const again = await acme.member.post(undoUrl(task))

      assert.notDeepEqual(after, before, action)
      assert.partialDeepStrictEqual(result, { bulk_task_id: task.task_id, action, total: 4, restored: 2, skipped: 2 })
      const skipped = result.skipped_leads.flatMap(({ lead_ids }: { lead_ids: string[] }) => lead_ids)
      assert.deepEqual(skipped.sort(), [edited, deleted].sort())
      for (const id of [one, other]) assert.deepEqual(await read(id), before)
      assert.deepEqual(await read(edited), after)
      assert.deepEqual([again.status, again.body.code], [409, 'conflict'])
      const { rows } = await acme.sql('select tag from crm.record_tags where record_id = $1 order by tag', [one])
      assert.deepEqual(
        rows.map(({ tag }) => tag),
        ['kept', 'old'],
      )
    }),
  )
  await worker.stop()
})

test('the undo of a deletion restores the leads that are still deleted, and that of a restoration deletes them', async () => {
  const acme = await tenant()
  const worker = await startTestWorker()
  const ids = await createLeads(acme, 3)
  const states = async () => {
    const { rows } = await acme.sql('select id from crm.leads where id = any ($1) and deleted_at is null', [ids])
    return ids.map((id) => rows.some((row) => row.id === id))
  }

  const deletion = await runBulk(acme, { action: 'delete' }, ids)
  await acme.member.post(`${leadsUrl}${ids[0]}/restore`)
  await acme.member.delete(`${leadsUrl}${ids[0]}`)
  const undone = await undo(acme, deletion)
  const afterUndo = await states()
  await acme.member.delete(`${leadsUrl}${ids[1]}`)
  await acme.member.delete(`${leadsUrl}${ids[2]}`)
  const restoration = await runBulk(acme, { action: 'restore' }, ids)
  const deleted = await undo(acme, restoration)
  await worker.stop()

  assert.partialDeepStrictEqual(undone, { action: 'delete', restored: 2, skipped: 1 })
  assert.deepEqual(afterUndo, [false, true, true])
  assert.partialDeepStrictEqual(deleted, { action: 'restore', restored: 3, skipped: 0 })
  assert.deepEqual(await states(), [false, false, false])
})

test('only the user who started the bulk update and admins can undo it, with its scopes and for 24 hours', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const worker = await startTestWorker()
  const ids = await createLeads(acme, 1)
  const task = await runBulk(acme, { action: 'delete' }, ids)
  const recomputed = await startBulk(acme, { action: 'recompute' }, ids)
  await waitForTask(acme, recomputed)
  const { body: key } = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['leads.write'] })
  const codeOf = async (caller: Acme['member'], url: string) => {
    const { status, body } = await caller.post(url)
    return `${status} ${body.code ?? ''}`.trim()
  }

  const rejected = {
    otherTenant: await codeOf(other.admin, undoUrl(task)),
    manager: await codeOf(acme.manager, undoUrl(task)),
    viewer: await codeOf(acme.viewer, undoUrl(task)),
    key: await codeOf(acme.bearer(`ApiKey ${key.key}`) as never, undoUrl(task)),
    recompute: await codeOf(acme.member, undoUrl(recomputed)),
    missing: await codeOf(acme.member, undoUrl({ task_id: newId() })),
  }
  clock.advance(day)
  const late = await codeOf((await acme.signIn(acme.member.userId)) as never, undoUrl(task))
  clock.advance(-day)
  const byAdmin = await acme.admin.post(undoUrl(task))
  const undone = await waitForTask(acme, byAdmin.body, 20)
  const ofUndo = await codeOf(acme.admin, undoUrl(byAdmin.body))
  await worker.stop()

  assert.deepEqual(rejected, {
    otherTenant: '404 not_found',
    manager: '404 not_found',
    viewer: '403 scope_required',
    key: '403 scope_required',
    recompute: '409 conflict',
    missing: '404 not_found',
  })
  assert.equal(late, '409 undo_expired')
  assert.partialDeepStrictEqual(undone.result, { restored: 1, skipped: 0 })
  assert.equal(ofUndo, '404 not_found')
})

test('a bulk update is undone once: not while it runs, not twice at the same time, and again after a cancelled undo', async () => {
  const acme = await tenant()
  const ids = await createLeads(acme, 2)
  const task = await startBulk(acme, { action: 'add_tags', params: { tags: ['fair'] } }, ids)
  const whileQueued = await acme.member.post(undoUrl(task))
  const first = await startTestWorker()
  await waitForTask(acme, task)
  await first.stop()

  const both = await Promise.all([acme.member.post(undoUrl(task)), acme.member.post(undoUrl(task))])
  const started = both.find(({ status }) => status === 202)
  await acme.member.post(`/api/tasks/${started?.body.task_id}/cancel`)
  const second = await startTestWorker()
  const result = await undo(acme, task)
  await second.stop()

  assert.equal(whileQueued.status, 409)
  assert.deepEqual(both.map(({ status }) => status).sort(), [202, 409])
  assert.partialDeepStrictEqual(result, { restored: 2, skipped: 0 })
  assert.equal((await acme.sql('select from crm.bulk_changes where tenant_id = $1', [acme.id])).rowCount, 0)
})

test('a lead that a user changes while the undo waits for it keeps the change, and a former owner must be active', async () => {
  const acme = await tenant()
  const worker = await startTestWorker()
  const leaver = await acme.person('member')
  const edited = await createLeadWith(acme, {})
  const orphan = await createLeadWith(acme, { owner_id: leaver.userId })
  const request = { action: 'assign', params: { owner_id: acme.manager.userId } }
  const task = await runBulk(acme, request, [edited.id, orphan.id])
  await acme.admin.patch(`/api/users/${leaver.userId}`, { status: 'deactivated' })
  const user = await owner.connect()
  await user.query('begin')
  await user.query(`update crm.leads set title = 'Edited' where id = $1`, [edited.id])

  const { body } = await acme.member.post(undoUrl(task))
  await waitForValue(
    async () => (await acme.member.get(body.status_url)).body,
    ({ state }) => state === 'running',
  )
  await user.query('commit')
  user.release()
  const { result } = await waitForTask(acme, body)
  await worker.stop()

  assert.partialDeepStrictEqual(result, { restored: 0, skipped: 2 })
  assert.partialDeepStrictEqual(await getLead(acme, edited.id), { title: 'Edited', owner_id: acme.manager.userId })
  assert.equal((await getLead(acme, orphan.id)).owner_id, acme.manager.userId)
})
