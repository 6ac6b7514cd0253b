import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask } from '#testing'
import { type Acme, addContacts, bulkUpdate, contactsUrl, readContact } from './contact-bulk.fixture.ts'

const { tenant, clock, startTestWorker } = await startTestApp()

/** Ids without a contact fail, and make the action a task. */
const missingIds = Array.from({ length: 201 }, () => newId())
const undoUrl = ({ task_id }: { task_id: string }) => `${contactsUrl}bulk/${task_id}/undo`

async function runTask(acme: Acme, request: object, ids: readonly string[]) {
  const { body, text } = await bulkUpdate(acme, { ...request, contact_ids: [...ids, ...missingIds] })
  assert.ok(body.task_id, text)
  const { result } = await waitForTask(acme, body, 20)
  assert.equal(result.succeeded, ids.length, JSON.stringify(result))
  return { body, result }
}

async function undo(acme: Acme, task: { task_id: string }) {
  const { status, body, text } = await acme.member.post(undoUrl(task))
  assert.equal(status, 202, text)
  return (await waitForTask(acme, body, 20)).result
}

const undoable = {
  assign: (acme: Acme) => ({ owner_id: acme.manager.userId }),
  add_tags: () => ({ tags: ['fair', 'kept'] }),
  remove_tags: () => ({ tags: ['old'] }),
}

test('an undo restores contacts, and skips those that were changed or deleted since', async () => {
  const acme = await tenant()
  const worker = await startTestWorker()

  await Promise.all(
    Object.entries(undoable).map(async ([action, paramsOf]) => {
      const ids = await addContacts(acme, 4, { tags: ['old', 'kept'] })
      const [one, other, edited, deleted] = ids as [string, string, string, string]
      const { body: task } = await runTask(acme, { action, params: paramsOf(acme) }, ids)
      const after = await readContact(acme, one)
      await acme.manager.patch(`${contactsUrl}${edited}`, { title: 'CEO' })
      await acme.manager.delete(`${contactsUrl}${deleted}`)

      const result = await undo(acme, task)
      const again = await acme.member.post(undoUrl(task))

      assert.notDeepEqual([after.owner_id, after.tags], [acme.member.userId, ['old', 'kept']], action)
      assert.partialDeepStrictEqual(result, { bulk_task_id: task.task_id, action, total: 4, restored: 2, skipped: 2 })
      const skipped = result.skipped_contacts.flatMap(({ contact_ids }: { contact_ids: string[] }) => contact_ids)
      assert.deepEqual(skipped.sort(), [edited, deleted].sort())
      for (const id of [one, other])
        assert.partialDeepStrictEqual(await readContact(acme, id), {
          owner_id: acme.member.userId,
          tags: ['old', 'kept'],
        })
      assert.partialDeepStrictEqual(await readContact(acme, edited), { tags: after.tags, owner_id: after.owner_id })
      assert.deepEqual([again.status, again.body.code], [409, 'conflict'])
    }),
  )
  await worker.stop()
})

test('deletions and restorations are undone by their user with the scopes for 24 hours, at the address of contacts', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const worker = await startTestWorker()
  const ids = await addContacts(acme, 2)
  const isDeleted = async () => (await acme.member.get(`${contactsUrl}${ids[0]}`)).status === 404
  const codeOf = async (caller: Pick<Acme['member'], 'post'>, path: string) => {
    const { status, body } = await caller.post(path)
    return `${status} ${body.code}`
  }
  const { body: deletion, result } = await runTask(acme, { action: 'delete' }, ids)
  const { body: key } = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['contacts.write'] })

  const rejected = [
    await codeOf(other.admin, undoUrl(deletion)),
    await codeOf(acme.manager, undoUrl(deletion)),
    await codeOf(acme.viewer, undoUrl(deletion)),
    await codeOf(acme.bearer(`ApiKey ${key.key}`), undoUrl(deletion)),
    await codeOf(acme.member, `/api/leads/bulk/${deletion.task_id}/undo`),
  ]
  clock.advance(86_400)
  const late = await codeOf(await acme.signIn(acme.member.userId), undoUrl(deletion))
  clock.advance(-86_400)
  const wasDeleted = await isDeleted()
  const undone = await undo(acme, deletion)
  const isBack = !(await isDeleted())
  await bulkUpdate(acme, { action: 'delete', contact_ids: ids })
  const { body: restoration } = await runTask(acme, { action: 'restore' }, ids)
  const deletedAgain = await undo(acme, restoration)
  await worker.stop()

  assert.deepEqual(
    result.failures.map(({ code, contact_ids }: { code: string; contact_ids: string[] }) => [code, contact_ids.length]),
    [['not_found', missingIds.length]],
  )
  assert.deepEqual(rejected, [
    '404 not_found',
    '404 not_found',
    '403 scope_required',
    '403 scope_required',
    '404 not_found',
  ])
  assert.deepEqual([late, wasDeleted, isBack], ['409 undo_expired', true, true])
  assert.partialDeepStrictEqual(undone, { action: 'delete', restored: 2, skipped: 0 })
  assert.partialDeepStrictEqual(deletedAgain, { action: 'restore', restored: 2, skipped: 0 })
  assert.ok(await isDeleted())
})
