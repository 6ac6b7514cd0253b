import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, systemIn } from '#platform/access'
import { enterTenant, inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { recentActivityOf, record, recordDenied, redactAudit } from './index.ts'

const { db, systemDb } = await startTestDb()

const userIn = (tenantId: string) => ({ ...systemIn(tenantId), type: 'user', userId: newId() }) as const satisfies Actor

test('the recent activity of a user is what the user did, newest first', async () => {
  const user = userIn(newId())
  const [first, second, erased] = [newId(), newId(), newId()]
  const actAs = (actor: Actor, id: string, label: string) =>
    inTenant(db, actor, (tx) => record(tx, 'lead.updated', { id, label }))
  await actAs(user, first, 'first')
  await actAs({ ...user, type: 'impersonation', actorUserId: newId() }, newId(), 'by an admin')
  await inTenant(db, user, (tx) => recordDenied(tx, 'lead.deleted', { id: first }))
  await actAs(userIn(user.tenantId), newId(), 'by a colleague')
  await actAs({ ...user, type: 'api_key', apiKeyId: newId() }, second, 'second')
  await actAs(user, erased, 'Ada')
  await inSystem(systemDb, async (tx) => redactAudit(await enterTenant(tx, user), 'lead', [erased]))

  const activity = await inTenant(db, user, (tx) => recentActivityOf(tx, user.userId, 10))

  assert.deepEqual(
    activity.map(({ resource_id, resource_label }) => [resource_id, resource_label]),
    [
      [erased, '[erased]'],
      [second, 'second'],
      [first, 'first'],
    ],
  )
  assert.equal((await inTenant(db, user, (tx) => recentActivityOf(tx, user.userId, 1))).length, 1)
})
