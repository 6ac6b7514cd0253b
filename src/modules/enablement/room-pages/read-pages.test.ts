import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { startRoomApp } from '../room-visits/room-visits.fixture.ts'

const {
  acme,
  call,
  clock,
  visitor,
  createDeck,
  createRoom,
  createActiveRoom,
  startVisit,
  startTestWorker,
  mails,
  renewSessions,
} = await startRoomApp()
await startTestWorker()
const deck = await createDeck()
beforeEach(renewSessions)
type Room = Awaited<ReturnType<typeof createActiveRoom>>
type Visit = Awaited<ReturnType<typeof startVisit>>
const createDeckRoom = (fields: object = {}) => createActiveRoom(fields, [{ content_item_id: deck.id }])

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

test('a preview shows a draft to the seller only', async () => {
  const draft = await createRoom({ public_title: 'Offer' })
  const url = `/api/enablement/rooms/${draft.id}`
  const { body: item } = await acme.member.post(`${url}/content`, { content_item_id: deck.id })
  const { status, body } = await acme.member.post(`${url}/preview`, {})
  const token = new URL(body.url).searchParams.get('preview')!
  const publicUrl = `/api/enablement/rooms/public/${draft.share.share_token}`
  const from = visitor()
  const started = await from.get(`/r/${draft.share.share_token}?preview=${token}`)
  const headers = { 'x-visit-token': token }
  const cookie = `room_visit=${token}`
  const shown = await from.get(publicUrl, headers)
  const [placed] = shown.body.room.items

  assert.deepEqual([status, started.status, shown.status, placed.title], [201, 303, 200, 'Deck'])
  const pages = [
    await from.get(`/r/${draft.share.share_token}`, { cookie }),
    await from.get(`/r/${draft.share.share_token}/items/${item.id}`, { cookie }),
    await call('GET', placed.url),
    await from.post(`${publicUrl}/view`, { item_id: item.id }, headers),
  ]
  assert.deepEqual(
    pages.map(({ status: one }) => one),
    [200, 200, 200, 201],
  )
  const refused = [
    await visitor().get(publicUrl),
    await visitor().get(`/r/${draft.share.share_token}`),
    await visitor().post(`${publicUrl}/visit`, {}),
    await from.post(`${publicUrl}/visit`, { email: 'ann@buyer.example' }, headers),
    await from.get(publicUrl, { 'x-visit-token': `${token.slice(0, -4)}AAAA` }),
  ]
  assert.deepEqual(
    refused.map(({ status: one }) => one),
    [404, 404, 404, 404, 404],
  )
  assert.equal((await acme.member.delete(url)).status, 204)
  assert.equal((await call('GET', placed.url)).status, 404)
})
