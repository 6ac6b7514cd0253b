import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listNotificationKinds } from '#platform/notify'
import { runTenantSchedule } from '#testing'
import { png } from '../../../platform/files/formats/sample-files.fixture.ts'
import { euros, newDeal } from '../../crm/deals/opportunities/opportunities.fixture.ts'
import { reviewRoomsSchedule } from '../analytics/silent-rooms.jobs.ts'
import { startRoomApp } from '../visits/visits.fixture.ts'

const app = await startRoomApp()
const { acme, clock, createDeck, createActiveRoom, startVisit, visit, recount, alerts } = app
const deck = await createDeck()
const editor = await acme.person('member')
const review = () => runTenantSchedule(app, reviewRoomsSchedule(app))
const alertsOf = async ({ id }: { id: string }) =>
  (await alerts()).filter(({ room_id }) => room_id === id).map(({ alert }) => alert)
const countOf = async (room: { id: string }, name: string) =>
  (await alertsOf(room)).filter((alert) => alert === name).length

const deal = await newDeal(acme)
const won = await newDeal(acme, { amount: euros('10.00') })
const silent = await createActiveRoom({ opportunity_id: deal.id, settings: { silent_after_days: 5 } })
const withoutDeal = await createActiveRoom()
const ofWonDeal = await createActiveRoom({ opportunity_id: won.id })
const switchedOff = await createActiveRoom({ opportunity_id: deal.id, settings: { alerts: { silent: false } } })
const hot = await createActiveRoom({}, [{ content_item_id: deck.id }])
const shared = await acme.member.patch(hot.url, { collaborators: [{ user_id: editor.userId, role: 'editor' }] })
assert.equal(shared.status, 200)
const closedDeal = await acme.manager.patch(`/api/opportunities/${won.id}`, { stage_key: 'closed_won' })
assert.equal(closedDeal.status, 200)

/** Five visitors with almost seven minutes each, of which they read the deck for some time. */
async function visitOften(room: typeof hot): Promise<void> {
  const opened = await Promise.all(
    Array.from({ length: 5 }, (_, n) => startVisit(room, { email: `v${n}@buyer.example` })),
  )
  const views = await Promise.all(
    opened.map(({ post }) => post(`${room.publicUrl}/view`, { item_id: room.items[1].id })),
  )
  for (let beats = 1; beats <= 8; beats++) {
    clock.advance(50)
    for (const [n, { heartbeat }] of opened.entries()) {
      const view = { view_id: views[n]!.body.view_id, active_seconds: 60 }
      assert.equal((await heartbeat({ active_seconds: 50 * beats, views: [view] })).status, 200)
    }
  }
}

test('visits of users are either in all numbers of the analytics or in none', async () => {
  const room = await createActiveRoom({}, [{ content_item_id: deck.id }])
  const signedIn = app.visitor({ authorization: `Bearer ${acme.member.accessToken}` })
  for (const from of [signedIn, app.visitor()]) {
    const opened = await visit(room, 20, {}, from)
    await opened.post(`${room.publicUrl}/view`, { item_id: room.items[1].id, action: 'download' })
  }
  await recount()

  for (const [query, expected] of [
    ['', 1],
    ['include_internal=true', 2],
  ] as const) {
    const { totals, by_day, visitors, items, funnel } = await app.analytics(room, query)
    const figures = { visits: expected, visitors: expected, item_views: expected, downloads: expected }
    assert.partialDeepStrictEqual(totals, { ...figures, seconds: 20 * expected })
    assert.partialDeepStrictEqual(by_day, [{ ...figures, seconds: 20 * expected }])
    assert.deepEqual([visitors.length, funnel.visited], [expected, expected])
    const { views, downloads } = items.find(({ item_id }: { item_id: string }) => item_id === room.items[1].id)
    assert.deepEqual([views, downloads], [expected, expected])
  }
  const { body } = await acme.manager.get(`/api/enablement/content/${deck.id}/analytics`)
  const ofRoom = body.by_room.find(({ room_id }: { room_id: string }) => room_id === room.id)
  assert.partialDeepStrictEqual(ofRoom, { name: room.name, views: 2 })
})

test('the logo of a room is no view of the content, and alerts of a room share an email in 30 minutes', async () => {
  const logo = await app.createFileItem({ type: 'image', visibility: 'public' }, { filename: 'logo.png', content: png })
  const room = await createActiveRoom({ branding: { logo_item_id: logo.id } })
  const { branding } = (await startVisit(room)).room

  const { status } = await app.call('GET', branding.logo_url, { 'user-agent': 'Mozilla/5.0 Firefox/140.0' })

  assert.equal(status, 200)
  const { rowCount } = await acme.sql('select 1 from enablement.content_views where item_id = $1', [logo.id])
  assert.equal(rowCount, 0)
  const { emailDelaySeconds, emailIntervalSeconds } = listNotificationKinds().find(({ kind }) => kind === 'room.alert')!
  assert.deepEqual([emailDelaySeconds, emailIntervalSeconds], [120, 1_800])
})

test('owner and editors are told when the score of a room reaches 70, once in seven days', async () => {
  await visitOften(hot)
  await recount()
  await recount()
  const { rows } = await acme.sql('select engagement_score, engagement_band from enablement.rooms where id = $1', [
    hot.id,
  ])

  assert.ok(rows[0].engagement_score >= 70)
  assert.equal(rows[0].engagement_band, 'hot')
  assert.equal(await countOf(hot, 'hot'), 2)
  const told = await acme.sql(
    `select user_id from platform.notifications where resource_id = $1 and payload->>'alert' = 'hot'`,
    [hot.id],
  )
  assert.deepEqual(told.rows.map(({ user_id }) => user_id).sort(), [acme.member.userId, editor.userId].sort())

  await acme.sql('update enablement.rooms set engagement_score = 50 where id = $1', [hot.id])
  await visit(hot)
  await recount()
  assert.equal(await countOf(hot, 'hot'), 2)
  await acme.sql(
    `update enablement.rooms set engagement_score = 50, hot_alert_at = hot_alert_at - interval '8 days' where id = $1`,
    [hot.id],
  )
  await visit(hot)
  await recount()
  assert.equal(await countOf(hot, 'hot'), 4)
})

test('the owner is told once per silence of a room with an open deal', async () => {
  clock.advance(4 * 86_400)
  await review()
  assert.equal(await countOf(silent, 'silent'), 0)

  clock.advance(86_400 + 3_600)
  await review()
  await review()
  assert.equal(await countOf(silent, 'silent'), 1)

  await visit(silent)
  await recount()
  clock.advance(4 * 86_400)
  await review()
  assert.equal(await countOf(silent, 'silent'), 1)
  clock.advance(2 * 86_400)
  await review()
  assert.equal(await countOf(silent, 'silent'), 2)

  clock.advance(10 * 86_400)
  await review()
  for (const room of [withoutDeal, ofWonDeal, switchedOff]) assert.equal(await countOf(room, 'silent'), 0)
})

test('the score of a room falls without visits', async () => {
  const scoreOf = async () =>
    (
      await acme.sql('select engagement_score as score, engagement_band as band from enablement.rooms where id = $1', [
        hot.id,
      ])
    ).rows[0]
  const before = await scoreOf()

  clock.advance(40 * 86_400)
  await review()

  const { score, band } = await scoreOf()
  assert.ok(score < before.score && score <= 1, `${before.score} to ${score}`)
  assert.notEqual(band, 'hot')
  assert.ok((await acme.events()).filter((type) => type === 'room.engagement_changed').length >= 2)
})
