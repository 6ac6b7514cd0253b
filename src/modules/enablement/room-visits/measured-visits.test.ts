import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRoomApp } from './room-visits.fixture.ts'

const { acme, clock, visitor, createDeck, createActiveRoom, startVisit, fold, analytics, alerts } = await startRoomApp()
const deck = await createDeck()
const createDeckRoom = () => createActiveRoom({}, [{ content_item_id: deck.id }])
type Room = Awaited<ReturnType<typeof createActiveRoom>>
const openDeck = async (visit: Awaited<ReturnType<typeof startVisit>>, room: Room, action = 'open') =>
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
  await fold()

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
  await fold()
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
  await fold()

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
    await fold()
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
  const { sql } = acme
  const from = visitor()
  const { status, body } = await acme.member.post(`${room.url}/preview`, {})
  const { pathname, search } = new URL(body.url)
  const started = await from.get(`${pathname}${search}`)
  const cookie = [started.headers['set-cookie'] ?? []]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ')
  const page = await from.get(pathname, { cookie })
  const token = /room_visit=([^;]+)/.exec(cookie)![1]!
  const visitId = /data-visit-id="([^"]+)"/.exec(page.text)![1]!
  const headers = { 'x-visit-token': token }
  const viewed = await from.post(`${room.publicUrl}/view`, { item_id: room.items[1].id }, headers)
  clock.advance(30)
  const beat = await from.patch(`${room.publicUrl}/visit/${visitId}`, { active_seconds: 30 }, headers)
  const returned = await from.post(`${room.publicUrl}/visit`, {
    password: 'open-sesame',
    visitor_token: /room_visitor=([^;]+)/.exec(cookie)![1]!,
  })
  await fold()

  assert.deepEqual([status, started.status, page.status, viewed.status, beat.status], [201, 303, 200, 201, 200])
  assert.match(page.text, /<a href="\/r\/[\w-]+\/items\/[\w-]+">Deck<\/a>/)
  assert.match(page.text, /This is a preview\. Nothing is counted\./)
  assert.deepEqual([viewed.body.view_id, beat.body.active_seconds, returned.status], [null, 0, 201])
  const { totals, internal, funnel } = await analytics(room)
  assert.deepEqual([totals.visits, totals.item_views, internal.visits, funnel.visited], [0, 0, 0, 0])
  assert.deepEqual((await alerts()).filter(({ room_id }) => room_id === room.id).length, 0)
  const { rows } = await sql('select is_internal from enablement.room_visits where id = $1', [returned.body.visit_id])
  assert.deepEqual(rows, [{ is_internal: true }])
  assert.equal((await from.get(`${pathname}?preview=${token.slice(0, -4)}AAAA`)).headers['set-cookie'], undefined)
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
