import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dumpDatabase, runTenantSchedule, waitForTask, waitForValue } from '#testing'
import { startRoomApp } from '../../rooms/visits/visits.fixture.ts'
import { createPublishedItem } from '../content/content.fixture.ts'
import { recountViewsSchedule } from '../views/recount-views.jobs.ts'

const app = await startRoomApp()
const { acme, clock, database, createDeck, createActiveRoom, visit, recount, analytics, visitor } = app
await app.startTestWorker()
const { member: seller, admin } = acme
const recountViews = () => runTenantSchedule(app, recountViewsSchedule(app))
const readDump = () => dumpDatabase(database.ownerUrl).toLowerCase().split('\n')

test('an erased visitor is in no row of the database, and the numbers of the room stay', async () => {
  const email = 'ottoline.bumblethwaite@gmail.com'
  const deck = await createDeck()
  const room = await createActiveRoom({}, [{ content_item_id: deck.id }])
  const contact = await seller.post('/api/contacts/', { last_name: 'Bumblethwaite', email })
  const step = await seller.post(`${room.url}/plan`, { title: 'Sign', side: 'buyer' })
  const opened = await visit(room, 60, { email, name: 'Ottolina Fiddlesworth' }, visitor())
  const view = await opened.post(`${room.publicUrl}/view`, { item_id: room.items[1].id, action: 'download' })
  clock.advance(30)
  await opened.heartbeat({ active_seconds: 90, views: [{ view_id: view.body.view_id, active_seconds: 30 }] })
  const done = await opened.patch(`${room.publicUrl}/plan/${step.body.id}`, { status: 'done' })
  const other = await visit(room, 20, { email: 'bob@buyer.example', name: 'Bob' }, visitor())
  await recount()
  const before = await analytics(room)
  const known = readDump().filter((line) => line.includes('fiddlesworth')).length

  const request = await admin.post(`/api/contacts/${contact.body.id}/erase`, { confirm: 'ERASE' })
  const task = await waitForTask(acme, request.body)
  await recount()
  const after = await analytics(room)

  assert.deepEqual([done.status, request.status, task.state], [200, 202, 'succeeded'])
  assert.ok(known >= 3, `${known} rows contain the name`)
  const traces = readDump().filter((line) => /ottolin|fiddlesworth|bumblethwaite/.test(line))
  assert.deepEqual(traces.slice(0, 3), [])
  assert.deepEqual(
    [after.totals.visits, after.totals.seconds, after.totals.item_views, after.totals.downloads, after.totals.visitors],
    [2, 110, 1, 1, 2],
  )
  assert.deepEqual([before.totals.identified, after.totals.identified], [2, 1])
  assert.deepEqual({ ...after.totals, identified: 0 }, { ...before.totals, identified: 0 })
  const names = after.visitors.map(({ name }: { name: string | null }) => name).sort()
  assert.deepEqual(names, ['Bob', null].sort())
  const { rows } = await acme.sql('select status, completed_by from enablement.room_plan_steps where id = $1', [
    step.body.id,
  ])
  assert.deepEqual(rows, [{ status: 'done', completed_by: null }])
  assert.equal(other.identity, 'claimed')
})

test('the views of an erased user are deleted, and the statistics of content stay', async () => {
  const item = await createPublishedItem(acme)
  const reader = await acme.person('member')
  const viewed = await reader.get(`/api/enablement/content/${item.id}`)
  await reader.get('/api/enablement/content/?search=xyloquartz')
  clock.advance(20)
  await reader.patch(`/api/enablement/content/views/${viewed.body.view_id}`, { active_seconds: 20 })
  await acme.sql(`update enablement.content_views set started_at = started_at - interval '3 days' where id = $1`, [
    viewed.body.view_id,
  ])
  await seller.get(`/api/enablement/content/${item.id}`)
  await recountViews()
  const daysOf = async () =>
    (
      await acme.sql(
        'select day, audience, views, measured, seconds from enablement.content_daily_stats where item_id = $1 order by day, audience',
        [item.id],
      )
    ).rows
  const countOf = async (sql: string) => (await acme.sql(sql, [reader.userId])).rows.length
  const rowsAboutReader = async () => [
    await countOf('select id from enablement.content_views where user_id = $1'),
    await countOf(`select item_id from enablement.content_viewers where viewer_key = 'user:' || $1`),
    await countOf('select query_norm from enablement.content_search_misses where last_user_id = $1'),
  ]
  const [days, rows] = [await daysOf(), await rowsAboutReader()]

  await admin.patch(`/api/users/${reader.userId}`, { status: 'deactivated' })
  const erased = await admin.delete(`/api/users/${reader.userId}`)
  await waitForValue(rowsAboutReader, (counts) => counts.every((count) => count === 0))
  await recountViews()

  assert.equal(erased.status, 204)
  assert.deepEqual(rows, [1, 1, 1])
  assert.equal(
    days.reduce((views, day) => views + day.views, 0),
    2,
  )
  assert.deepEqual(await daysOf(), days)
})
