// Query plans of in-app notifications, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listNotifications, markNotificationRowsRead } from './in-app-notifications.queries.ts'

const { owner, database, db } = await startPlanDb()
const [tenantId, userId] = [newId(), newId()]
await loadRows(owner, insertManyNotifications)
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(tenantId), work)

const page = { limit: 50, offset: 0 }

test('a page, with or without a cursor, is read from notifications_by_user without a sort', async () => {
  const { next_cursor } = await inTenant(db, systemActor(tenantId), (tx) => listNotifications(tx, userId, page))
  const first = await planOf((tx) => listNotifications(tx, userId, page))
  const next = await planOf((tx) => listNotifications(tx, userId, { ...page, cursor: next_cursor! }))

  assert.match(first, /notifications_by_user.*\n\s+Index Cond: .*tenant_id.*user_id = /)
  assert.match(next, /notifications_by_user.*\n\s+Index Cond: .*tenant_id.*user_id = .*id < /)
  assert.doesNotMatch(first + next, /Seq Scan|Sort/)
})

test('listing and marking unread notifications use notifications_unread', async () => {
  const unread = await planOf((tx) => listNotifications(tx, userId, { ...page, unread: true }))
  const marked = await planOf((tx) => markNotificationRowsRead(tx, userId, { now: new Date() }))

  assert.match(unread, /notifications_unread.*\n\s+Index Cond: .*tenant_id.*user_id = /)
  assert.match(marked, /notifications_unread.*\n\s+Index Cond: .*tenant_id.*user_id = /)
  assert.doesNotMatch(unread + marked, /Seq Scan/)
})

/** Inserts five workspaces of fifty users with 200 notifications each, most of them read. */
async function insertManyNotifications(client: Loader) {
  for (const tenant of [tenantId, newId(), newId(), newId(), newId()])
    await client.query(
      `insert into platform.notifications (tenant_id, id, user_id, kind, payload, in_app, by_mail, read_at)
       select $1::uuid, gen_random_uuid(), case when n % 50 = 0 then $2::uuid else md5($1::uuid::text || n % 50)::uuid end,
         'lead.assigned', '{}', true, false, case when n % 20 = 0 then null else now() end
       from generate_series(1, 10000) n`,
      [tenant, tenant === tenantId ? userId : newId()],
    )
}
