import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { newContact, newDeal } from '../../crm/deals/opportunities/opportunities.fixture.ts'
import { createItem, createPublishedItem } from '../../library/content/content.fixture.ts'
import { roomsUrl, startRoomApp } from '../visits/visits.fixture.ts'

const {
  acme,
  tenant,
  upload,
  call,
  visitor,
  createDeck,
  createRoom,
  createActiveRoom,
  startVisit,
  visit,
  alerts,
  startTestWorker,
} = await startRoomApp()
const { member: seller, manager } = acme
const contentUrl = '/api/enablement/content/'
await startTestWorker()

test('enablement-3-10 battlecards stay internal, and content is in a room once', async () => {
  const [battlecard, deck] = [await createPublishedItem(acme, { type: 'battlecard' }), await createDeck()]
  const { id } = await createRoom()
  const url = `${roomsUrl}${id}/content`

  const internal = await seller.post(url, { content_item_id: battlecard.id })
  const both = await Promise.all([1, 2].map(() => seller.post(url, { content_item_id: deck.id })))

  assert.deepEqual([internal.status, internal.body.errors[0].code], [422, 'internal_only_type'])
  const [created, refused] = both.sort((one, two) => one.status - two.status)
  assert.deepEqual([created!.status, refused!.status], [201, 409])
  assert.equal(refused!.body.existing_id, created!.body.id)
})

test('a collection adds the content that can be shared and reports the rest', async () => {
  const [deck, offer] = [await createDeck({ title: 'Deck' }), await createPublishedItem(acme, { title: 'Offer' })]
  const battlecard = await createPublishedItem(acme, { type: 'battlecard' })
  const hidden = await createItem(manager, { title: 'Draft of a manager' })
  const other = await tenant()
  const item_ids = [deck.id, offer.id, battlecard.id, hidden.id]
  const collection = (await manager.post('/api/enablement/collections/', { name: 'Launch kit', item_ids })).body
  const foreign = (await other.manager.post('/api/enablement/collections/', { name: 'Launch kit' })).body
  const { id } = await createRoom()
  const url = `${roomsUrl}${id}/content`
  await seller.post(url, { content_item_id: deck.id })

  const added = await seller.post(url, { collection_id: collection.id })
  const again = await seller.post(url, { collection_id: collection.id })
  const combined = await seller.post(url, { collection_id: collection.id, title: 'Kit' })
  const unknown = await seller.post(url, { collection_id: foreign.id })

  assert.equal(added.status, 201, added.text)
  const codes = ({ body }: typeof added) => body.skipped.map(({ code }: { code: string }) => code)
  assert.deepEqual(
    added.body.added.map((item: { content_item_id: string; position: number }) => [
      item.content_item_id,
      item.position,
    ]),
    [[offer.id, 1]],
  )
  assert.deepEqual(codes(added), ['already_in_room', 'internal_only_type'])
  assert.deepEqual([again.status, again.body.added, codes(again).length], [201, [], 3])
  assert.deepEqual([combined.status, combined.body.errors[0].path], [422, '/title'])
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown_reference'])
})

test('enablement-3-11 archived content disappears from the room, or its replacement takes its place', async () => {
  const [deck, oldDeck, newDeck] = [
    await createDeck({ title: 'Alone' }),
    await createDeck({ title: 'Old' }),
    await createDeck({ title: 'New' }),
  ]
  const room = await createActiveRoom({}, [{ content_item_id: deck.id }, { content_item_id: oldDeck.id }])

  await manager.patch(`${contentUrl}${deck.id}`, { status: 'archived' })
  await manager.patch(`${contentUrl}${oldDeck.id}`, { status: 'archived', superseded_by_id: newDeck.id })
  const opened = await startVisit(room)
  const { items } = (await seller.get(room.url)).body

  assert.deepEqual(
    opened.room.items.map(({ id, title }: { id: string; title: string }) => [id, title]),
    [
      [room.items[0].id, 'Hello'],
      [room.items[2].id, 'New'],
    ],
  )
  assert.deepEqual(
    items.map(({ state }: { state: string }) => state),
    ['ok', 'hidden_archived', 'replaced'],
  )
  assert.equal((await call('GET', opened.room.items[1].url)).status, 200)
  await waitUntil(async () => (await alerts('room.content_hidden')).length > 0)
  const notices = await alerts('room.content_hidden')
  assert.deepEqual(
    notices.map(({ room_id, title }) => [room_id, title]),
    [[room.id, 'Alone']],
  )
})

test('rooms and collections follow replacements that were deleted later', async () => {
  const [first, second, third] = [await createDeck(), await createDeck(), await createDeck({ title: 'Third' })]
  const room = await createActiveRoom({}, [{ content_item_id: first.id }])
  const { body: collection } = await manager.post('/api/enablement/collections/', {
    name: 'Decks',
    item_ids: [first.id],
  })
  await manager.patch(`${contentUrl}${first.id}`, { status: 'archived', superseded_by_id: second.id })
  await manager.patch(`${contentUrl}${second.id}`, { status: 'archived', superseded_by_id: third.id })
  assert.equal((await manager.delete(`${contentUrl}${second.id}`)).status, 204)

  const shown = (await startVisit(room)).room.items[1]
  const { items } = (await manager.get(`/api/enablement/collections/${collection.id}`)).body

  assert.deepEqual([shown?.title, items[0]?.item.title], ['Third', 'Third'])
})

test('enablement-3-12 an empty deal room cannot be activated, and only editors change a room', async () => {
  const colleague = await acme.person('member')
  const [deal, community] = [await createRoom(), await createRoom({ room_type: 'community' })]
  const url = `${roomsUrl}${deal.id}`

  const empty = await seller.patch(url, { status: 'active' })
  const emptyCommunity = await seller.patch(`${roomsUrl}${community.id}`, { status: 'active' })
  const skipped = await seller.patch(url, { status: 'closed' })
  const byColleague = await colleague.patch(url, { name: 'Mine' })
  const read = await colleague.get(url)
  const analytics = await colleague.get(`${url}/analytics`)

  assert.deepEqual([empty.status, emptyCommunity.status], [409, 200])
  assert.deepEqual(
    [skipped.status, skipped.body.code, skipped.body.allowed],
    [409, 'invalid_transition', ['active', 'archived']],
  )
  assert.deepEqual([byColleague.status, read.body.share, read.body.links, analytics.status], [403, null, [], 403])
})

test('enablement-3-14 the room of a deactivated owner stays public and gets a new owner', async () => {
  const leaving = await acme.person('member')
  const { body: team } = await manager.post('/api/teams/', {
    name: 'Sales',
    members: [{ user_id: leaving.userId }, { user_id: manager.userId, role: 'lead' }],
  })
  const room = await createActiveRoom()
  await manager.patch(room.url, { owner_id: leaving.userId })

  const deactivated = await acme.admin.patch(`/api/users/${leaving.userId}`, { status: 'deactivated' })
  await waitUntil(async () => (await manager.get(room.url)).body.owner_id === manager.userId)

  assert.ok(team.id)
  assert.equal(deactivated.status, 200)
  assert.equal((await visitor().get(room.publicUrl)).status, 200)
  const { rows } = await acme.sql(
    `select actor_type from platform.audit_log where resource_id = $1 and action = 'room.updated' order by id desc limit 1`,
    [room.id],
  )
  assert.equal(rows[0].actor_type, 'system')
  assert.deepEqual(
    (await alerts('room.assigned')).map(({ room_id }) => room_id),
    [room.id],
  )
})

test('a room never visited has no score, and its analytics are zeros', async () => {
  const room = await createActiveRoom()

  const { score, engagement_band } = (await seller.get(room.url)).body
  const { body } = await seller.get(`${room.url}/analytics`)

  assert.deepEqual([score, engagement_band], [{ value: null, band: 'cold', components: null }, 'cold'])
  assert.deepEqual(body.totals, {
    visits: 0,
    visitors: 0,
    identified: 0,
    verified: 0,
    seconds: 0,
    average_seconds: null,
    item_views: 0,
    downloads: 0,
  })
  assert.deepEqual(
    [body.by_day, body.visitors, body.bots_filtered, body.plan],
    [[], [], 0, { progress_rate: null, overdue: 0 }],
  )
})

test('items are moved, hidden and removed, and links and texts need their fields', async () => {
  const other = await tenant()
  const room = await createActiveRoom({ sections: [{ title: 'A' }] }, [
    { kind: 'link', title: 'L', url: 'https://x.example' },
  ])
  const url = `${room.url}/content`
  const [text, link] = room.items

  const moved = await seller.patch(`${url}/${link.id}`, { position: 0, section_id: room.sections[0].id })
  const invalid = [
    await seller.post(url, { kind: 'link', title: 'x' }),
    await seller.post(url, { kind: 'text', body: 'x' }),
    await seller.post(url, { kind: 'text', title: 'x', body: 'x', url: 'https://x.example' }),
    await seller.post(url, { kind: 'link', title: 'x', url: 'javascript:alert(1)' }),
    await seller.patch(`${url}/${text.id}`, { url: 'https://x.example' }),
    await seller.post(url, { content_item_id: room.id }),
  ]
  const foreign = [
    await other.admin.patch(`${url}/${text.id}`, { title: 'x' }),
    await other.admin.delete(`${url}/${text.id}`),
  ]
  const removed = await seller.delete(`${url}/${text.id}`)

  assert.deepEqual([moved.status, moved.body.position, moved.body.section_id], [200, 0, room.sections[0].id])
  assert.deepEqual(
    invalid.map(({ status }) => status),
    [422, 422, 422, 422, 422, 422],
  )
  assert.deepEqual([...foreign.map(({ status }) => status), removed.status], [404, 404, 204])
  const { items, version } = (await seller.get(room.url)).body
  assert.deepEqual([items.length, items[0].position], [1, 0])
  assert.ok(version > room.version)
})

test('own drafts can be shared, drafts of others and unpublished content cannot', async () => {
  const [own, ofManager] = [await createItem(seller, { title: 'Own' }), await createItem(manager, { title: 'Other' })]
  const published = await createPublishedItem(acme, { title: 'Published' })
  const room = await createActiveRoom({}, [{ content_item_id: own.id }, { content_item_id: published.id }])

  const refused = await seller.post(`${room.url}/content`, { content_item_id: ofManager.id })
  await manager.patch(`${contentUrl}${published.id}`, { status: 'draft' })
  const { items } = (await startVisit(room)).room

  assert.equal(refused.status, 422)
  assert.deepEqual(
    items.map(({ title }: { title: string }) => title),
    ['Hello', 'Own'],
  )
})

test('a pinned version is served although a newer one is current', async () => {
  const deck = await createDeck({ title: 'Pinned' })
  const room = await createActiveRoom({}, [{ content_item_id: deck.id, pinned_version_no: 1 }])
  const first = await call('GET', (await startVisit(room)).room.items[1].url)
  await upload(manager, deck.id, {
    filename: 'deck.pdf',
    content: Buffer.concat([first.bytes.subarray(0, 9), Buffer.from('%2\n'), first.bytes]),
  })

  const pinned = await call('GET', (await startVisit(room)).room.items[1].url)
  await seller.patch(`${room.url}/content/${room.items[1].id}`, { pinned_version_no: null })
  const current = await call('GET', (await startVisit(room)).room.items[1].url)

  assert.deepEqual(
    [pinned.status, pinned.bytes.length, current.bytes.length],
    [200, first.bytes.length, first.bytes.length + 12],
  )
})

test('a visit of a known contact is logged on the deal and on the contact, once', async () => {
  const deal = await newDeal(acme)
  const contactId = await newContact(acme, 'Ann')
  await acme.sql(`update crm.contacts set email = 'ann@globex.example' where id = $1`, [contactId])
  const room = await createActiveRoom({ opportunity_id: deal.id })

  const opened = await visit(room, 30, { email: 'Ann@globex.example' })
  const externalIds = async () =>
    (
      await acme.sql(
        `select external_id from crm.activities where tenant_id = $1 and type = 'room_visited' order by 1`,
        [acme.id],
      )
    ).rows.map(({ external_id }) => external_id)

  await waitUntil(async () => (await externalIds()).length === 2)
  assert.deepEqual(await externalIds(), [`room:${opened.visit_id}:contact`, `room:${opened.visit_id}:opportunity`])
  await manager.delete(`/api/contacts/${contactId}`)
  await waitUntil(async () => {
    const { visitors } = (await seller.get(`${room.url}/analytics`)).body
    return visitors[0].email === null && visitors[0].seconds === 30
  })
})

test('a copy of a room has its items and plan with moved due dates, but not its link', async () => {
  const template = await createActiveRoom({ sections: [{ title: 'A' }], branding: { primary_color: '#112233' } })
  await seller.post(`${template.url}/plan`, { title: 'Sign', side: 'buyer', due_on: '2030-01-10' })
  await acme.sql(`update enablement.rooms set created_at = created_at - interval '10 days' where id = $1`, [
    template.id,
  ])

  const copy = await createRoom({ from_room_id: template.id })

  assert.deepEqual(
    [copy.status, copy.branding.primary_color, copy.items.length, copy.sections.length, copy.plan.steps[0].due_on],
    ['draft', '#112233', 1, 1, '2030-01-20'],
  )
  assert.notEqual(copy.share.share_token, template.share.share_token)
})
