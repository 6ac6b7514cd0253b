import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { createPublishedItem } from '../../library/content/content.fixture.ts'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import { startRoomApp } from '../visits/visits.fixture.ts'

const app = await startRoomApp()
const { acme, owner, services, tenant, createDeck, createActiveRoom, visit, recount } = app
const { find, findAll, repair, assertRepairs } = createIntegrityRunner(services)
const other = await tenant()
const deck = await createDeck()

/** Creates a room with a counted visit and a view of the deck that the recount has counted. */
async function createVisitedRoom() {
  const room = await createActiveRoom({ sections: [{ title: 'Start' }] }, [{ content_item_id: deck.id }])
  const opened = await visit(room)
  const [, item] = room.items
  const view = await opened.post(`${room.publicUrl}/view`, { item_id: item.id })
  await recount()
  await acme.sql(`update enablement.room_visits set updated_at = now() - interval '1 hour' where room_id = $1`, [
    room.id,
  ])
  return { ...room, itemId: item.id as string, visitId: opened.visit_id, viewId: view.body.view_id as string }
}
const [first, second] = [await createVisitedRoom(), await createVisitedRoom()]

test('rooms and content in use have no finding', async () => {
  const found = (await findAll(acme.id)).filter(({ status }) => status !== 'ok')

  assert.deepEqual(found, [])
})

test('wrong counters of a room are reported and counted again', async () => {
  const changes = [
    'update enablement.room_links set visit_count = visit_count + 1 where room_id = $1',
    'update enablement.room_items set views = 7 where room_id = $1',
    'update enablement.room_daily_stats set external_visits = 9 where room_id = $1',
  ]
  for (const change of changes) {
    await acme.sql(change, [first.id])
    await assertRepairs(acme.id, 'counter_drift', [first.id])
  }
  const { body } = await acme.member.get(first.url)

  assert.deepEqual([body.share.visit_count, body.items[1].views], [1, 1])
  await acme.sql('update enablement.room_links set visit_count = 5 where room_id = $1', [first.id])
  assert.deepEqual(await find(other.id, 'counter_drift'), [])
  await acme.sql(`update enablement.room_visits set updated_at = now() where room_id = $1`, [first.id])
  assert.deepEqual(await find(acme.id, 'counter_drift'), [])
  await recount()
})

test('a day with statistics but without visits is repaired, and the repair ends', async () => {
  await acme.sql(
    `insert into enablement.room_daily_stats (tenant_id, room_id, day, external_visits, external_visitors, seconds, item_views,
       downloads, internal_visits, internal_seconds, bot_visits)
     values ($1, $2, '2026-01-05', 3, 1, 60, 0, 0, 0, 0, 0)`,
    [acme.id, second.id],
  )

  await assertRepairs(acme.id, 'counter_drift', [second.id])
})

test('wrong totals of content are reported and counted again', async () => {
  const item = await createPublishedItem(acme)
  await acme.sql(
    'insert into enablement.content_item_stats (tenant_id, item_id, views_total) values ($1, $2, 12) on conflict (tenant_id, item_id) do update set views_total = 12',
    [acme.id, item.id],
  )

  await assertRepairs(acme.id, 'counter_drift', [item.id])
})

test('content that shows a removed version or one of other content is reported', async () => {
  const [removed, foreign] = [await createDeck({ title: 'Removed' }), await createDeck({ title: 'Foreign' })]
  await acme.sql('update enablement.content_versions set removed_at = now() where item_id = $1', [removed.id])
  await acme.sql(
    `update enablement.content_items set current_version_id = (
       select id from enablement.content_versions where item_id = $2) where id = $1`,
    [foreign.id, deck.id],
  )

  assert.deepEqual(await find(acme.id, 'content_version_mismatch'), [removed.id, foreign.id].toSorted())
  assert.deepEqual(await find(other.id, 'content_version_mismatch'), [])
  await acme.sql('update enablement.content_items set current_version_id = null where id = any ($1)', [
    [removed.id, foreign.id],
  ])
})

test('a visit with a link or visitor of another room is reported', async () => {
  const { rows } = await acme.sql('select link_id, visitor_id from enablement.room_visits where id = $1', [
    first.visitId,
  ])
  const change = (column: string, value: string) =>
    acme.sql(`update enablement.room_visits set ${column} = $2 where id = $1`, [first.visitId, value])
  const ofSecond = await acme.sql('select link_id, visitor_id from enablement.room_visits where id = $1', [
    second.visitId,
  ])

  for (const column of ['link_id', 'visitor_id']) {
    await change(column, ofSecond.rows[0][column])
    assert.deepEqual(await find(acme.id, 'room_visit_mismatch'), [first.visitId], column)
    await change(column, rows[0][column])
  }
  assert.deepEqual(await find(acme.id, 'room_visit_mismatch'), [])
})

test('a view that differs from its visit is corrected, and one without a visit is deleted', async () => {
  await acme.sql('update enablement.content_views set room_id = $2 where id = $1', [first.viewId, second.id])
  await assertRepairs(acme.id, 'room_view_mismatch', [first.viewId])
  const { rows } = await acme.sql('select room_id from enablement.content_views where id = $1', [first.viewId])
  assert.deepEqual(rows, [{ room_id: first.id }])

  await acme.sql('update enablement.content_views set visit_id = $2 where id = $1', [second.viewId, newId()])
  await assertRepairs(acme.id, 'room_view_without_visit', [second.viewId])
  const left = await acme.sql('select id from enablement.content_views where tenant_id = $1 and visit_id is not null', [
    acme.id,
  ])
  assert.deepEqual(left.rows, [{ id: first.viewId }])
})

test('items in sections of other rooms and with unknown versions are reported', async () => {
  await acme.sql(
    `update enablement.room_items set pinned_version_no = 9, section_id = (
       select id from enablement.room_sections where room_id = $2) where id = $1`,
    [first.itemId, second.id],
  )

  await assertRepairs(acme.id, 'room_item_section_mismatch', [first.itemId])
  assert.deepEqual(await find(acme.id, 'room_item_version_missing'), [first.itemId])
  assert.deepEqual(await find(other.id, 'room_item_version_missing'), [])
  await assert.rejects(repair(acme.id, 'room_item_version_missing'), { code: 'not_found' })
  const { rows } = await owner.query('select section_id from enablement.room_items where id = $1', [first.itemId])
  assert.deepEqual(rows, [{ section_id: null }])
})
