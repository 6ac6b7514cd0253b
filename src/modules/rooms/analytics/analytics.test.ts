import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublishedItem } from '../../library/content/content.fixture.ts'
import { startRoomApp } from '../visits/visits.fixture.ts'

const { acme, clock, createActiveRoom, startVisit, recount } = await startRoomApp()

test('sellers list who read what and when, without internal visits and visits that do not count', async () => {
  const item = await createPublishedItem(acme)
  const room = await createActiveRoom({}, [{ content_item_id: item.id }])
  const seller = await acme.signIn(acme.member.userId)
  await startVisit(room)
  const [ann, internal] = [
    await startVisit(room, { email: 'ann@buyer.example', name: 'Ann' }),
    await startVisit(room, { email: acme.member.email }),
  ]
  const { body: view } = await ann.post(`${room.publicUrl}/view`, { item_id: room.items[1].id })
  clock.advance(20)
  const views = [{ view_id: view.view_id, active_seconds: 15, progress: 0.5, page: 2 }]
  for (const one of [ann, internal]) await one.heartbeat({ active_seconds: 20, ...(one === ann && { views }) })

  const listed = await seller.get(`${room.url}/visits`)
  const withInternal = await seller.get(`${room.url}/visits?include_internal=true&limit=1`)
  const byViewer = await acme.viewer.get(`${room.url}/visits`)

  assert.equal(listed.status, 200)
  assert.deepEqual([listed.body.total, withInternal.body.total, byViewer.status], [1, 2, 403])
  const [visit] = listed.body.items
  assert.partialDeepStrictEqual(visit, {
    seconds: 20,
    device: 'desktop',
    is_internal: false,
    visitor: { name: 'Ann', email: 'ann@buyer.example', identity: 'claimed', contact: null },
  })
  assert.partialDeepStrictEqual(visit.items, [
    { item_id: room.items[1].id, title: item.title, seconds: 15, progress: 0.5, max_page: 2, downloaded_at: null },
  ])
})

test('the home page of the owner shows the last visits from outside and what was read longest', async () => {
  const contents = [await createPublishedItem(acme), await createPublishedItem(acme, { title: 'Security paper' })]
  const added = contents.map(({ id }) => ({ content_item_id: id }))
  const room = await createActiveRoom({ name: 'Summit room' }, added)
  const quiet = await createActiveRoom({ name: 'Quiet room' })
  const ann = await startVisit(room, { email: 'ann@summit.example', name: 'Ann' })
  const opened = []
  for (const { id } of room.items.slice(1))
    opened.push((await ann.post(`${room.publicUrl}/view`, { item_id: id })).body.view_id)
  clock.advance(30)
  const views = [
    { view_id: opened[0], active_seconds: 5 },
    { view_id: opened[1], active_seconds: 25 },
  ]
  await ann.heartbeat({ active_seconds: 30, views })
  clock.advance(60)
  const anonymous = await startVisit(quiet)
  const internal = await startVisit(quiet, { email: acme.member.email })
  await startVisit(quiet, { email: 'short@summit.example' })
  clock.advance(20)
  for (const one of [anonymous, internal]) await one.heartbeat({ active_seconds: 20 })
  const homeOf = async (userId: string) => (await (await acme.signIn(userId)).get('/api/home')).body.rooms.items

  const [latest, earlier] = await homeOf(acme.member.userId)

  assert.partialDeepStrictEqual(latest, {
    room: { id: quiet.id, name: 'Quiet room', band: 'cold' },
    visitor: { name: null, identity: 'anonymous' },
    title: 'Quiet room',
    seconds: 20,
  })
  assert.partialDeepStrictEqual(earlier, {
    room: { id: room.id, name: 'Summit room' },
    visitor: { name: 'Ann', identity: 'claimed' },
    title: 'Security paper',
    seconds: 30,
  })
  assert.deepEqual(await homeOf(acme.manager.userId), [])
})

test('enablement-3-15 three visitors, 1,260 seconds and 4 of 8 items score 63 after 3.5 days; a room without visits has no score', async () => {
  const contents = []
  while (contents.length < 8) contents.push({ content_item_id: (await createPublishedItem(acme)).id })
  const room = await createActiveRoom({}, contents)
  const unvisited = await createActiveRoom()
  for (const items of [[1], [1, 2], [3, 4]]) {
    const opened = await startVisit(room)
    const opening = items.map((n) => opened.post(`${room.publicUrl}/view`, { item_id: room.items[n].id }))
    const views = (await Promise.all(opening)).map(({ body }) => ({ view_id: body.view_id, active_seconds: 10 }))
    for (let active_seconds = 60; active_seconds <= 420; active_seconds += 60) {
      clock.advance(60)
      assert.equal((await opened.heartbeat({ active_seconds, views })).status, 200)
    }
  }
  clock.advance(3.5 * 86_400)
  await recount()

  const seller = await acme.signIn(acme.member.userId)
  const analyticsOf = async ({ url }: { url: string }) => (await seller.get(`${url}/analytics`)).body
  const { totals, score } = await analyticsOf(room)
  assert.deepEqual([totals.visitors, totals.seconds], [3, 1_260])
  assert.partialDeepStrictEqual(score, {
    value: 63,
    band: 'warm',
    components: { visitors: 18, seconds: 21, items: 10, recency: 14.14 },
  })
  const none = await analyticsOf(unvisited)
  assert.deepEqual([none.score.value, none.score.band], [null, 'cold'])
  const { average_seconds, ...counts } = none.totals
  assert.deepEqual([average_seconds, ...new Set(Object.values(counts))], [null, 0])
})
