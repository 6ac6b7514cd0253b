import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { runTenantSchedule, startTestApp } from '#testing'
import { createPublishedItem } from '../content/content.fixture.ts'
import { expireContentSchedule, reviewDueSchedule } from './schedules.jobs.ts'

const app = await startTestApp()
const { clock, tenant } = app
clock.freeze()
const url = '/api/enablement/content/'
const expire = () => runTenantSchedule(app, expireContentSchedule(app))
const sendNotices = () => runTenantSchedule(app, reviewDueSchedule(app))
type Workspace = Awaited<ReturnType<typeof tenant>>

/** Returns a user signed in now, because sessions end while the clock advances. */
const signedIn = (acme: Workspace) => acme.person('manager')
const noticesOf = async (acme: Workspace, userId: string) =>
  (
    await acme.sql(
      `select payload->'days_overdue' as days from platform.notifications
       where tenant_id = $1 and user_id = $2 and kind = 'content.review_due' order by id`,
      [acme.id, userId],
    )
  ).rows.map(({ days }) => days)

test('content is archived when it expires, and disappears from the library', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const expires_at = daysLater(clock.now(), 1).toISOString()
  const expiring = await createPublishedItem(acme, { title: 'Prices of May', expires_at })
  const lasting = await createPublishedItem(acme, { title: 'Prices' })
  const foreign = await createPublishedItem(other, { expires_at: daysLater(clock.now(), 9).toISOString() })

  await expire()
  const before = await acme.viewer.get(url)
  clock.advance(86_401)
  await expire()
  await expire()

  const manager = await signedIn(acme)
  const archived = await manager.get(`${url}${expiring.id}`)
  const listed = await manager.get(url)
  assert.equal(before.body.total, 2)
  assert.deepEqual(
    [archived.body.status, archived.body.archive_reason, archived.body.superseded_by_id],
    ['archived', 'expired', null],
  )
  assert.deepEqual(
    listed.body.items.map(({ id }: { id: string }) => id),
    [lasting.id],
  )
  assert.equal((await (await signedIn(other)).get(`${url}${foreign.id}`)).body.status, 'published')
  assert.equal((await acme.events()).filter((type) => type === 'content.archived').length, 1)
  const { rows } = await acme.sql(
    `select actor_type, changes from platform.audit_log where resource_id = $1 and action = 'content.updated' order by id desc limit 1`,
    [expiring.id],
  )
  assert.equal(rows[0].actor_type, 'system')
  assert.match(JSON.stringify(rows[0].changes), /expired/)
})

test('drafts and archived content do not expire again', async () => {
  const acme = await tenant()
  const expires_at = daysLater(clock.now(), 1).toISOString()
  const draft = await acme.manager.post(url, { title: 'Draft', type: 'document', body: 'Text', expires_at })
  clock.advance(86_401)

  await expire()

  assert.equal((await (await signedIn(acme)).get(`${url}${draft.body.id}`)).body.status, 'draft')
})

test('the owner is told 14 days before a review, on its day and every week after it, managers from day 30 on', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme, { review_interval_days: 30 })
  await acme.sql('update enablement.content_items set owner_id = $2 where id = $1', [item.id, acme.member.userId])
  const advanceDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      clock.advance(86_400)
      await sendNotices()
    }
    return await noticesOf(acme, acme.member.userId)
  }

  assert.deepEqual(await advanceDays(15), [])
  assert.deepEqual(await advanceDays(1), [-14])
  assert.deepEqual(await advanceDays(13), [-14])
  assert.deepEqual(await advanceDays(1), [-14, 0])
  await sendNotices()
  assert.deepEqual(await advanceDays(14), [-14, 0, 7, 14])
  assert.deepEqual(await noticesOf(acme, acme.manager.userId), [])
  assert.deepEqual(await advanceDays(21), [-14, 0, 7, 14, 21, 28, 35])
  assert.deepEqual(await noticesOf(acme, acme.manager.userId), [35])
})

test('a review ends the notices until the next one is due', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme, { review_interval_days: 30 })
  clock.advance(31 * 86_400)
  await sendNotices()
  const manager = await signedIn(acme)

  const verified = await manager.post(`${url}${item.id}/verify`, { outcome: 'still_valid' })
  clock.advance(10 * 86_400)
  await sendNotices()
  const notices = await noticesOf(acme, acme.manager.userId)
  clock.advance(20 * 86_400)
  await sendNotices()

  assert.equal(verified.status, 200)
  assert.deepEqual([notices, await noticesOf(acme, acme.manager.userId)], [[1], [1, 0]])
})
