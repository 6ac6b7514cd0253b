import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, systemActor } from '#platform/access'
import { enterTenant, inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { listRecentActivity, recordAudit, recordAuditDenial, redactAuditEntries } from './index.ts'

const { db, systemDb } = await startTestDb()

const createUserActor = (tenantId: string) =>
  ({ ...systemActor(tenantId), type: 'user', userId: newId() }) as const satisfies Actor

test('the recent activity lists only the successful actions of the user, newest first', async () => {
  const user = createUserActor(newId())
  const [first, second, erased] = [newId(), newId(), newId()]
  const recordUpdate = (actor: Actor, id: string, label: string) =>
    inTenant(db, actor, (tx) => recordAudit(tx, 'lead.updated', { id, label }))
  await recordUpdate(user, first, 'first')
  await recordUpdate({ ...user, type: 'impersonation', actorUserId: newId() }, newId(), 'by an admin')
  await inTenant(db, user, (tx) => recordAuditDenial(tx, 'lead.deleted', { id: first }))
  await recordUpdate(createUserActor(user.tenantId), newId(), 'by a colleague')
  await recordUpdate({ ...user, type: 'api_key', apiKeyId: newId() }, second, 'second')
  await recordUpdate(user, erased, 'Ada')
  await inSystem(systemDb, async (tx) => redactAuditEntries(await enterTenant(tx, user), 'lead', [erased]))

  const activity = await inTenant(db, user, (tx) => listRecentActivity(tx, user.userId, 10))

  assert.deepEqual(
    activity.map(({ resource_id, resource_label }) => [resource_id, resource_label]),
    [
      [erased, '[erased]'],
      [second, 'second'],
      [first, 'first'],
    ],
  )
  assert.equal((await inTenant(db, user, (tx) => listRecentActivity(tx, user.userId, 1))).length, 1)
})
