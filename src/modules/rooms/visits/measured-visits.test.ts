import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { startRoomApp } from './visits.fixture.ts'

const {
  acme,
  clock,
  visitor,
  createDeck,
  createActiveRoom,
  startVisit,
  openPreview,
  startTestWorker,
  mails,
  renewSessions,
  recount,
  analytics,
  alerts,
} = await startRoomApp()
await startTestWorker()
const deck = await createDeck()
beforeEach(renewSessions)
const createDeckRoom = (fields: object = {}) => createActiveRoom(fields, [{ content_item_id: deck.id }])
type Room = Awaited<ReturnType<typeof createActiveRoom>>
type Visit = Awaited<ReturnType<typeof startVisit>>
const openDeck = async (visit: Visit, room: Room, action = 'open') =>
  await visit.post(`${room.publicUrl}/view`, { item_id: room.items[1].id, action })

test('opening items and downloading them does not shorten the measured time', async () => {
  const room = await createDeckRoom()
  const visit = await startVisit(room)
  const { body: view } = await openDeck(visit, room)

  let measured = 0
  for (let seconds = 15; seconds <= 60; seconds += 15) {
    clock.advance(14)
    await openDeck(visit, room, 'download')
    clock.advance(1)
    const views = [{ view_id: view.view_id, active_seconds: seconds }]
    measured = (await visit.heartbeat({ active_seconds: seconds, views })).body.active_seconds
  }
  await recount()

  assert.equal(measured, 60)
  assert.equal((await analytics(room)).items[1].seconds, 60)
})

test('sixty forged heartbeats in three seconds count at most eight seconds', async () => {
  const room = await createDeckRoom()
  const visit = await startVisit(room)
  const { body: view } = await openDeck(visit, room)

  let measured = 0
  for (let n = 1; n <= 60; n++) {
    if (n % 20 === 0) clock.advance(1)
    const views = [{ view_id: view.view_id, active_seconds: n * 90 }]
    measured = (await visit.heartbeat({ active_seconds: n * 90, views })).body.active_seconds
  }

  assert.equal(measured, 8)
  const { rows } = await acme.sql('select active_seconds from enablement.content_views where id = $1', [view.view_id])
  assert.ok(rows[0].active_seconds <= 8)
})

test('views and downloads count, and tell the owner, only when their visit does', async () => {
  const room = await createDeckRoom()
  const namesOf = async () => (await alerts()).filter(({ room_id }) => room_id === room.id).map(({ alert }) => alert)
  const silent = await startVisit(room)
  await openDeck(silent, room)
  await openDeck(silent, room, 'download')
  await recount()
  const before = await analytics(room)
  const eventsOf = async () =>
    (
      await acme.sql(
        `select type from platform.outbox_events where subject_id = $1 and type in ('room.item_viewed', 'room.downloaded') order by type`,
        [room.id],
      )
    ).rows.map(({ type }) => type)

  assert.deepEqual([before.totals.item_views, before.totals.downloads, before.items[1].views], [0, 0, 0])
  assert.deepEqual([await namesOf(), await eventsOf()], [[], []])
  assert.equal((await acme.member.get(room.url)).body.items[1].views, 0)

  clock.advance(10)
  await silent.heartbeat({ active_seconds: 10 })
  await openDeck(silent, room, 'download')
  await recount()

  const after = await analytics(room)
  assert.deepEqual([after.totals.item_views, after.totals.downloads, after.items[1].views], [1, 1, 1])
  assert.deepEqual(await namesOf(), ['first_visit', 'download'])
  assert.deepEqual(await eventsOf(), ['room.downloaded', 'room.item_viewed'])
})

test('a PDF is completed by its pages and not after ten seconds', async () => {
  const room = await createDeckRoom()
  const visit = await startVisit(room)
  const { body: view } = await openDeck(visit, room)
  const completionAfter = async (heartbeat: object) => {
    clock.advance(30)
    await visit.heartbeat({ active_seconds: 30, views: [{ view_id: view.view_id, ...heartbeat }] })
    await recount()
    return (await analytics(room)).items[1].completion_rate
  }

  assert.equal(await completionAfter({ active_seconds: 30 }), 0)
  assert.equal(await completionAfter({ active_seconds: 60, progress: 0.5, page: 5 }), 0)
  assert.equal(await completionAfter({ active_seconds: 90, progress: 0.9, page: 9 }), 1)
})

test('a preview shows what visitors see and counts nothing, and its browser is internal afterwards', async () => {
  const room = await createActiveRoom({ public_title: 'Offer', share: { password: 'open-sesame' } }, [
    { content_item_id: deck.id },
  ])
  const { path, from, cookie, token } = await openPreview(room)
  const page = await from.get(path, { cookie })
  const visitId = /data-visit-id="([^"]+)"/.exec(page.text)![1]!
  const headers = { 'x-visit-token': token }
  const viewed = await from.post(`${room.publicUrl}/view`, { item_id: room.items[1].id }, headers)
  clock.advance(30)
  const beat = await from.patch(`${room.publicUrl}/visit/${visitId}`, { active_seconds: 30 }, headers)
  const returned = await from.post(`${room.publicUrl}/visit`, {
    password: 'open-sesame',
    visitor_token: /room_visitor=([^;]+)/.exec(cookie)![1]!,
  })
  await recount()

  assert.deepEqual([page.status, viewed.status, beat.status], [200, 201, 200])
  assert.match(page.text, /<a href="\/r\/[\w-]+\/items\/[\w-]+">Deck<\/a>/)
  assert.match(page.text, /This is a preview\. Nothing is counted\./)
  assert.deepEqual([viewed.body.view_id, beat.body.active_seconds, returned.status], [null, 0, 201])
  const { totals, internal, funnel } = await analytics(room)
  assert.deepEqual([totals.visits, totals.item_views, internal.visits, funnel.visited], [0, 0, 0, 0])
  assert.deepEqual((await alerts()).filter(({ room_id }) => room_id === room.id).length, 0)
  const { rows } = await acme.sql('select is_internal from enablement.room_visits where id = $1', [
    returned.body.visit_id,
  ])
  assert.deepEqual(rows, [{ is_internal: true }])
})

test('a visitor who returns after the end of a visit starts a new one and enters nothing again', async () => {
  const room = await createActiveRoom({ share: { access: 'email', password: 'open-sesame' } }, [
    { content_item_id: deck.id },
  ])
  const path = `/r/${room.share.share_token}`
  const from = visitor()
  const submit = (fields: object, cookies: string[]) =>
    from.post(path, new URLSearchParams({ ...fields }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: cookies.join('; '),
    })
  const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
    [headers['set-cookie'] ?? []].flat().map((cookie) => String(cookie).split(';')[0]!)
  const read = async (cookies: string[]) => (await from.get(path, { cookie: cookies.join('; ') })).text
  const visitOf = (page: string) => /data-visit-id="([^"]+)"/.exec(page)?.[1]

  const cookies = cookiesOf(await submit({ email: 'ann@buyer.example', password: 'open-sesame' }, []))
  const first = visitOf(await read(cookies))
  clock.advance(5 * 60)
  const afterFiveMinutes = visitOf(await read(cookies))
  clock.advance(31 * 60)
  const closed = await read(cookies)
  const again = cookiesOf(await submit({}, cookies))
  const second = visitOf(await read(again))
  const direct = await visitor().post(`${room.publicUrl}/visit`, {}, { 'x-visit-token': again[0]!.split('=')[1]! })
  clock.advance(12 * 3_600)
  const expired = await submit({}, again)

  assert.ok(first)
  assert.equal(afterFiveMinutes, first)
  assert.equal(visitOf(closed), undefined)
  assert.match(closed, /Open the files/)
  assert.ok(second && second !== first)
  assert.deepEqual([direct.status, direct.body.identity], [201, 'claimed'])
  assert.equal(expired.status, 403)
  const { rows } = await acme.sql(
    'select count(*)::integer as visits, count(distinct visitor_id)::integer as visitors from enablement.room_visits where room_id = $1',
    [room.id],
  )
  assert.deepEqual(rows, [{ visits: 3, visitors: 1 }])
})

type ReadPage = { page: number; seconds: number }

/** Opens the deck and reports what was read of it since. */
async function read(room: Room, visit: Visit, seconds: number, report: object) {
  const { body: view } = await visit.post(`${room.publicUrl}/view`, { item_id: room.items[1].id })
  clock.advance(seconds)
  const views = [{ view_id: view.view_id, active_seconds: seconds, ...report }]
  return await visit.heartbeat({ active_seconds: seconds, views })
}

const listPages = async (room: Room): Promise<ReadPage[]> =>
  (await acme.member.get(`${room.url}/visits`)).body.items[0].items[0].pages
const seenBy = async (room: Room, visit: Visit) => (await visit.get(room.publicUrl)).body.room.items[1].visitor

test('the seller sees the seconds of the pages, and never more than the view has', async () => {
  const room = await createDeckRoom()
  const visit = await startVisit(room)
  const pages = [
    { page: 2, seconds: 20 },
    { page: 1, seconds: 10 },
  ]

  assert.equal((await read(room, visit, 30, { page: 2, pages })).status, 200)
  assert.deepEqual(await listPages(room), pages.toReversed())

  const forged = Array.from({ length: 10 }, (_, n) => ({ page: n + 1, seconds: 86_400 }))
  await read(room, visit, 3, { pages: forged, active_seconds: 86_400 })
  const sum = (await listPages(room)).reduce((total, { seconds }) => total + seconds, 0)
  assert.ok(sum <= 38, `${sum} seconds`)
})

test('a heartbeat has at most 500 pages, with whole seconds', async () => {
  const room = await createDeckRoom()
  const visit = await startVisit(room)
  const pagesOf = (count: number) => Array.from({ length: count }, (_, n) => ({ page: n + 1, seconds: 1 }))

  const responses = [
    await read(room, visit, 5, { pages: pagesOf(501) }),
    await read(room, visit, 5, { pages: [{ page: 1, seconds: 1.5 }] }),
    await read(room, visit, 5, { pages: [{ page: 10_001, seconds: 1 }] }),
    await read(room, visit, 5, { pages: [{ page: 1, seconds: -1 }] }),
    await read(room, visit, 5, { pages: pagesOf(500) }),
  ]

  assert.deepEqual(
    responses.map(({ status }) => status),
    [422, 422, 422, 422, 200],
  )
})

test('a visitor sees what they read in earlier visits, and nothing before the first', async () => {
  const room = await createDeckRoom()
  const first = await startVisit(room, { email: 'ann@buyer.example' })
  assert.equal(await seenBy(room, first), null)
  await read(room, first, 30, { progress: 0.4, page: 4, pages: [{ page: 4, seconds: 30 }] })
  const seenAt = clock.now().toISOString()
  clock.advance(2 * 86_400)

  const again = await startVisit(room, { visitor_token: first.visitor_token })
  const anonymous = (await visitor().get(room.publicUrl)).body.room.items[1]

  const [text, item] = again.room.items
  assert.equal(text.visitor, null)
  assert.deepEqual([item.visitor.page, item.visitor.seen_at], [4, seenAt])
  assert.ok(item.visitor.progress >= 0.4)
  assert.equal('visitor' in anonymous, false)
})

test('claiming the address of another visitor does not show what they read', async () => {
  const room = await createDeckRoom({ share: { access: 'email' } })
  const ann = await startVisit(room, { email: 'ann@buyer.example' })
  await read(room, ann, 30, { progress: 0.5, page: 5 })

  const mallory = await startVisit(room, { email: 'ann@buyer.example' })
  const returned = await startVisit(room, { email: 'ann@buyer.example', visitor_token: mallory.visitor_token })

  assert.deepEqual([await seenBy(room, mallory), await seenBy(room, returned)], [null, null])
  assert.equal((await seenBy(room, ann)).page, 5)
})

test('a visitor who proves the address sees in another browser what they read', async () => {
  const room = await createDeckRoom({ share: { access: 'verified_email' } })
  const email = 'verity@buyer.example'
  const enter = async (count: number) => {
    await visitor().post(`${room.publicUrl}/visit`, { email })
    const mail = (await mails(email, count)).at(-1)
    return await startVisit(room, { email, code: /\b\d{6}\b/.exec(mail!.subject!)![0] })
  }
  const first = await enter(1)
  await read(room, first, 30, { progress: 0.5, page: 5 })
  clock.advance(3_600)

  assert.equal((await seenBy(room, await enter(2))).page, 5)
})
