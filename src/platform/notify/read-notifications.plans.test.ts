// How PostgreSQL finds what somebody was told, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemIn } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { startPlans, startTestDb } from '#testing'
import { listNotifications, markNotificationsRead } from './read-notifications.queries.ts'

const { owner, database, db } = await startTestDb()
const [tenantId, userId] = [newId(), newId()]
await addMany()
const plans = await startPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemIn(tenantId), work)

const page = { limit: 50, offset: 0 }

test('a page is read from the index of the person, newest first, also after a cursor', async () => {
  const { next_cursor } = await inTenant(db, systemIn(tenantId), (tx) => listNotifications(tx, userId, page))
  const first = await planOf((tx) => listNotifications(tx, userId, page))
  const next = await planOf((tx) => listNotifications(tx, userId, { ...page, cursor: next_cursor! }))

  assert.match(first, /notifications_by_user.*\n\s+Index Cond: .*tenant_id.*user_id = /)
  assert.match(next, /notifications_by_user.*\n\s+Index Cond: .*tenant_id.*user_id = .*id < /)
  assert.doesNotMatch(first + next, /Seq Scan|Sort/)
})

test('what is unread is found by its own index, to be listed and to be marked', async () => {
  const unread = await planOf((tx) => listNotifications(tx, userId, { ...page, unread: true }))
  const marked = await planOf((tx) => markNotificationsRead(tx, userId, { now: new Date() }))

  assert.match(unread, /notifications_unread.*\n\s+Index Cond: .*tenant_id.*user_id = /)
  assert.match(marked, /notifications_unread.*\n\s+Index Cond: .*tenant_id.*user_id = /)
  assert.doesNotMatch(unread + marked, /Seq Scan/)
})

/** Five workspaces of fifty people who were told some hundred things each, and have read most of them. */
async function addMany() {
  for (const tenant of [tenantId, newId(), newId(), newId(), newId()])
    await owner.query(
      `insert into platform.notifications (tenant_id, id, user_id, kind, payload, in_app, by_mail, read_at)
       select $1::uuid, gen_random_uuid(), case when n % 50 = 0 then $2::uuid else md5($1::uuid::text || n % 50)::uuid end,
         'lead.assigned', '{}', true, false, case when n % 20 = 0 then null else now() end
       from generate_series(1, 10000) n`,
      [tenant, tenant === tenantId ? userId : newId()],
    )
  await owner.query('analyze platform.notifications')
}
