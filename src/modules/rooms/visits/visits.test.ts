import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDeal } from '../../crm/deals/opportunities/opportunities.fixture.ts'
import { publicUrl, roomsUrl, startRoomApp } from './visits.fixture.ts'

const {
  acme,
  call,
  clock,
  tenant,
  visitor,
  createDeck,
  createRoom,
  createActiveRoom,
  startVisit,
  visit,
  recount,
  analytics,
  alerts,
} = await startRoomApp()
const { member: seller } = acme
const idleRoom = await createActiveRoom()

test('enablement-3-1 a visitor opens a room of a deal, views the deck and is counted', async () => {
  const [deal, deck] = [await newDeal(acme), await createDeck()]
  const room = await createRoom({ opportunity_id: deal.id })
  const url = `${roomsUrl}${room.id}`
  const added = await seller.post(`${url}/content`, { content_item_id: deck.id })
  await seller.patch(url, { status: 'active' })
  const shared = { publicUrl: publicUrl(room.share.share_token), url }

  const preview = await visitor().get(shared.publicUrl)
  const opened = await startVisit(shared)
  const viewed = await opened.post(`${shared.publicUrl}/view`, { item_id: added.body.id })
  const viewedAgain = await opened.post(`${shared.publicUrl}/view`, { item_id: added.body.id })
  const part = await call('GET', viewed.body.url, { range: 'bytes=0-99' })
  clock.advance(20)
  const views = [{ view_id: viewed.body.view_id, active_seconds: 18, progress: 1, page: 3 }]
  const beat = await opened.heartbeat({ active_seconds: 20, views })
  await recount()

  assert.deepEqual([preview.status, preview.body.access, preview.body.visit_required], [200, 'open', true])
  const [item] = preview.body.room.items
  assert.deepEqual([item.title, item.media_type, item.url, item.download_url], ['Deck', 'application/pdf', null, null])
  assert.equal(opened.identity, 'anonymous')
  assert.match(opened.room.items[0].url, /ticket=/)
  assert.deepEqual([viewed.status, viewedAgain.status, viewedAgain.body.view_id], [201, 200, viewed.body.view_id])
  assert.deepEqual([part.status, part.bytes.length], [206, 100])
  assert.deepEqual([beat.status, beat.body.active_seconds, beat.body.state], [200, 20, 'open'])
  const { totals, items, funnel, score, visitors } = await analytics(shared)
  assert.partialDeepStrictEqual(totals, { visits: 1, visitors: 1, identified: 0, seconds: 20, item_views: 1 })
  assert.partialDeepStrictEqual(items[0], {
    views: 1,
    unique_visitors: 1,
    seconds: 18,
    completion_rate: 1,
    downloads: 0,
  })
  assert.deepEqual(
    [funnel, visitors.length, score.band],
    [{ links: 1, visited: 1, engaged: 0, returned: 0 }, 1, 'warm'],
  )
  const read = await seller.get(url)
  assert.deepEqual([read.body.engagement_score, read.body.items[0].views], [score.value, 1])
  assert.ok((await acme.events()).includes('room.visited'))
})

test('enablement-3-2 requests of scanners, and visits without a heartbeat, count nothing and cause no alert', async () => {
  const room = await createActiveRoom()
  const alertsBefore = (await alerts()).length

  for (let n = 0; n < 50; n++) assert.equal((await visitor().get(room.publicUrl)).status, 200)
  await startVisit(room)
  const silent = await startVisit(room)
  const scanner = await startVisit(room, {}, visitor({ 'user-agent': 'LinkPreviewBot/1.0' }))
  clock.advance(20)
  await scanner.heartbeat({ active_seconds: 20 })
  clock.advance(61)
  const late = await silent.heartbeat({ active_seconds: 60 })
  await recount()

  assert.equal(late.status, 200)
  const { totals, funnel, score, bots_filtered } = await analytics(room)
  assert.deepEqual(
    [totals.visits, totals.visitors, totals.seconds, totals.item_views, funnel.visited, score.value, score.band],
    [0, 0, 0, 0, 0, null, 'cold'],
  )
  assert.equal(bots_filtered, 2)
  assert.equal((await alerts()).length, alertsBefore)
})

test('enablement-3-6 revoking a link ends the visit and the download at once', async () => {
  const deck = await createDeck({}, 300_000)
  const room = await createActiveRoom({}, [{ content_item_id: deck.id }])
  const opened = await startVisit(room)
  const fileUrl = opened.room.items[1].url
  const first = await call('GET', fileUrl, { range: 'bytes=0-99999' })

  await seller.patch(room.url, { share: { revoke: true } })
  const next = await call('GET', fileUrl, { range: 'bytes=100000-199999' })
  clock.advance(15)
  const responses = [
    await opened.heartbeat({ active_seconds: 15 }),
    await opened.get(room.publicUrl),
    await opened.post(`${room.publicUrl}/view`, { item_id: room.items[1].id }),
    await opened.post(`${room.publicUrl}/visit`, {}),
  ]

  assert.deepEqual([first.status, first.bytes.length, next.status], [206, 100_000, 404])
  for (const { status, body } of responses) assert.deepEqual([status, body.code], [410, 'link_expired'])
})

test('a download ends when the room closes, the item is hidden or the content is archived, and goes on when it reopens', async () => {
  const deck = await createDeck()
  const room = await createActiveRoom({}, [{ content_item_id: deck.id }])
  const opened = await startVisit(room)
  const fileUrl = opened.room.items[1].url
  const statusAfter = async (change: object, url = room.url) => {
    await acme.manager.patch(url, change)
    return (await call('GET', fileUrl, { range: 'bytes=0-9' })).status
  }
  const itemUrl = `${room.url}/content/${room.items[1].id}`

  assert.equal((await call('GET', fileUrl)).status, 200)
  assert.equal(await statusAfter({ status: 'closed' }), 404)
  assert.equal(await statusAfter({ status: 'active' }), 206)
  assert.equal(await statusAfter({ is_visible: false }, itemUrl), 404)
  assert.equal(await statusAfter({ is_visible: true }, itemUrl), 206)
  assert.equal(await statusAfter({ status: 'archived' }, `/api/enablement/content/${deck.id}`), 404)
  const forged = fileUrl.replace(/ticket=.{20}/, 'ticket=AAAAAAAAAAAAAAAAAAAA')
  assert.equal((await call('GET', forged)).status, 404)
})

test('enablement-3-7 expired links and closed rooms are gone, unknown tokens and those of other workspaces are not found', async () => {
  const other = await tenant()
  const room = await createActiveRoom()
  const expiring = await seller.post(`${room.url}/links`, {
    expires_at: new Date(clock.now().getTime() + 60_000).toISOString(),
  })
  const closed = await createActiveRoom()
  const draft = await createRoom()

  const live = await visitor().get(publicUrl(expiring.body.share_token))
  clock.advance(61)
  const expired = await visitor().get(publicUrl(expiring.body.share_token))
  await seller.patch(closed.url, { status: 'closed' })
  const gone = await visitor().get(closed.publicUrl)
  await seller.patch(closed.url, { status: 'active' })
  const reopened = await visitor().get(closed.publicUrl)
  const unknown = [
    await visitor().get(publicUrl('x'.repeat(43))),
    await visitor().get(publicUrl(draft.share.share_token)),
    await other.anonymous.get(room.publicUrl),
    await other.anonymous.post(`${room.publicUrl}/visit`, {}),
  ]
  await seller.delete(room.url)
  unknown.push(await visitor().get(room.publicUrl))

  assert.equal(live.status, 200)
  assert.deepEqual([expired.status, expired.body.code], [410, 'link_expired'])
  assert.deepEqual([gone.status, gone.body.code, reopened.status], [410, 'room_closed', 200])
  for (const { status, body } of unknown) assert.deepEqual([status, body.detail], [404, 'Link not found.'])
})

test('enablement-3-8 visits of the seller are internal and change neither score nor alerts', async () => {
  const room = await createActiveRoom()
  await visit(room)
  await recount()
  const before = await analytics(room)
  const alertsBefore = (await alerts()).length
  const signedIn = visitor({ authorization: `Bearer ${seller.accessToken}` })

  await visit(room, 60, {}, signedIn)
  await visit(room, 60, { email: seller.email.toUpperCase() })
  await recount()

  const { totals, internal, score } = await analytics(room)
  assert.deepEqual([totals, internal], [before.totals, { visits: 2, seconds: 120 }])
  assert.ok(before.score.value > 0)
  assert.deepEqual([score.value, score.band], [before.score.value, before.score.band])
  assert.equal((await alerts()).length, alertsBefore)
  const withInternal = await analytics(room, 'include_internal=true')
  assert.deepEqual([withInternal.totals.visits, withInternal.visitors.length], [3, 3])
  assert.equal(
    withInternal.by_day.reduce((sum: number, { visits }: { visits: number }) => sum + visits, 0),
    3,
  )
  const badBearer = await visitor({ authorization: 'Bearer x' }).post(`${room.publicUrl}/visit`, {})
  assert.equal(badBearer.status, 401)
})

test('enablement-3-9 two tabs with the same numbers count once, and a visit accepts only its own token', async () => {
  const room = await createActiveRoom()
  const [opened, foreign] = [await startVisit(room), await startVisit(room)]
  clock.advance(15)

  const beats = await Promise.all([opened.heartbeat({ active_seconds: 15 }), opened.heartbeat({ active_seconds: 15 })])
  const url = `${room.publicUrl}/visit/${opened.visit_id}`
  const withForeignToken = await foreign.patch(url, { active_seconds: 15 })
  const withoutToken = await visitor().patch(url, { active_seconds: 15 })

  assert.deepEqual(
    beats.map(({ body }) => body.active_seconds),
    [15, 15],
  )
  assert.deepEqual([withForeignToken.status, withoutToken.status], [403, 403])
  assert.equal((await alerts()).filter(({ room_id }) => room_id === room.id).length, 1)
})

test('enablement-3-13 a buyer completes a step of the plan; other steps and anonymous visitors are refused', async () => {
  const room = await createActiveRoom()
  const step = async (fields: object) => (await seller.post(`${room.url}/plan`, { title: 'Sign', ...fields })).body
  const own = await step({ side: 'buyer' })
  const internal = await step({ side: 'buyer', is_internal: true })
  const ofSeller = await step({ side: 'seller' })
  const stepUrl = ({ id }: { id: string }) => `${room.publicUrl}/plan/${id}`
  const [known, anonymous] = [
    await startVisit(room, { email: 'ann@buyer.example', name: 'Ann' }),
    await startVisit(room),
  ]

  const done = await known.patch(stepUrl(own), { status: 'done' })
  const refused = [
    await known.patch(stepUrl(internal), { status: 'done' }),
    await known.patch(stepUrl(ofSeller), { status: 'done' }),
  ]
  const byAnonymous = await anonymous.patch(stepUrl(own), { status: 'todo' })
  const cancelled = await known.patch(stepUrl(own), { status: 'cancelled' })

  assert.deepEqual([known.identity, done.status, done.body.status], ['claimed', 200, 'done'])
  assert.deepEqual(
    refused.map(({ status }) => status),
    [404, 404],
  )
  assert.deepEqual([byAnonymous.status, cancelled.status], [403, 422])
  const { plan } = (await seller.get(room.url)).body
  assert.deepEqual([plan.steps[0].completed_by, plan.progress_rate], ['Ann', 0.3333])
  assert.equal((await known.get(room.publicUrl)).body.room.plan.progress_rate, 0.5)
  const planAlerts = (await alerts()).filter(({ room_id, alert }) => room_id === room.id && alert === 'plan')
  assert.deepEqual(
    planAlerts.map(({ visitor: name }) => name),
    ['Ann'],
  )
})

test('the owner is told about the first visit, new visitors, returns and downloads, once each', async () => {
  const deck = await createDeck()
  const room = await createActiveRoom({}, [{ content_item_id: deck.id }])
  const namesOf = async () => (await alerts()).filter(({ room_id }) => room_id === room.id).map(({ alert }) => alert)

  const ann = await visit(room, 10, { email: 'ann@buyer.example' })
  await visit(room, 10, { visitor_token: ann.visitor_token })
  await visit(room, 10, { email: 'bob@buyer.example' })
  const item_id = room.items[1].id
  const again = await visit(room, 10, { visitor_token: ann.visitor_token })
  for (let n = 0; n < 2; n++) await again.post(`${room.publicUrl}/view`, { item_id, action: 'download' })
  await seller.patch(room.url, { settings: { downloads_allowed: false } })
  const last = await startVisit(room)
  const refused = await last.post(`${room.publicUrl}/view`, { item_id, action: 'download' })
  assert.deepEqual([refused.status, refused.body.code], [403, 'downloads_disabled'])
  assert.equal(last.room.items[1].download_url, null)
  clock.advance(15 * 86_400)
  await visit(room, 10, { visitor_token: ann.visitor_token })

  assert.deepEqual(await namesOf(), ['first_visit', 'new_visitor', 'download', 'return'])
  assert.equal(again.identity, 'claimed')
  const downloaded = `select 1 from platform.outbox_events where type = 'room.downloaded' and subject_id = $1`
  assert.equal((await acme.sql(downloaded, [room.id])).rowCount, 1)
})

test('heartbeats cannot count faster than time, and a visit ends after 30 minutes or when the visitor leaves', async () => {
  const room = idleRoom
  const opened = await startVisit(room)
  const secondsAfter = async (gap: number, active_seconds: number) => {
    clock.advance(gap)
    return (await opened.heartbeat({ active_seconds })).body.active_seconds
  }

  assert.equal(await secondsAfter(15, 15), 15)
  assert.equal(await secondsAfter(600, 615), 105)
  assert.equal(await secondsAfter(15, 630), 120)
  assert.equal(await secondsAfter(0, 600), 120)
  const ended = await opened.heartbeat({ active_seconds: 630, ended: true })
  const afterEnd = await opened.heartbeat({ active_seconds: 640 })
  const idle = await startVisit(room)
  clock.advance(31 * 60)
  const afterSilence = await idle.heartbeat({ active_seconds: 5 })

  assert.deepEqual([ended.body.state, afterEnd.status, afterEnd.body.code], ['closed', 409, 'visit_closed'])
  assert.deepEqual([afterSilence.status, afterSilence.body.code], [409, 'visit_closed'])
})
