import assert from 'node:assert/strict'
import { test } from 'node:test'
import { officeFile } from '../../../platform/files/formats/sample-files.fixture.ts'
import { startRoomApp } from './visits.fixture.ts'

const { acme, call, clock, visitor, createDeck, createFileItem, createActiveRoom, startVisit, startTestWorker, mails } =
  await startRoomApp()
const { member: seller } = acme
await startTestWorker()
const deck = await createDeck()
const letter = await createFileItem(
  { title: 'Letter', type: 'document' },
  { filename: 'letter.docx', content: officeFile('docx') },
)

type Room = Awaited<ReturnType<typeof createActiveRoom>>
type Visit = Awaited<ReturnType<typeof startVisit>>
type Running = { room: Room; visit: Visit; stepUrl: string }

const email = 'ann@buyer.example'
const soon = () => new Date(clock.now().getTime() + 60_000).toISOString()

/** Lists what the seller changes during the visit, and the status of the next request. Gates are shown with 200 and nothing of the room. */
const changes: Record<string, { share: () => object; status: number; pageStatus?: number; afterSeconds?: number }> = {
  revoked: { share: () => ({ revoke: true }), status: 410 },
  expired: { share: () => ({ expires_at: soon() }), status: 410, afterSeconds: 61 },
  'a new password': { share: () => ({ password: 'open-sesame' }), status: 403, pageStatus: 200 },
  'a verified email address': { share: () => ({ access: 'verified_email' }), status: 403, pageStatus: 200 },
  'an allow list without the visitor': {
    share: () => ({ access: 'allow_list', allowed: ['@other.example'] }),
    status: 403,
    pageStatus: 200,
  },
  'a blocked address': { share: () => ({ blocked: [email] }), status: 403 },
  'a blocked domain': { share: () => ({ blocked: ['@buyer.example'] }), status: 403 },
}

const requests: Record<string, (running: Running) => Promise<{ status: number; text?: string }>> = {
  page: ({ room, visit }) =>
    visitor().get(`/r/${room.share.share_token}`, { cookie: `room_visit=${visit.visit_token}` }),
  'page of an item': ({ room, visit }) =>
    visitor().get(`/r/${room.share.share_token}/items/${room.items[1].id}`, {
      cookie: `room_visit=${visit.visit_token}`,
    }),
  room: ({ room, visit }) => visit.get(room.publicUrl),
  file: ({ visit }) => call('GET', visit.room.items[1].url, { range: 'bytes=0-9' }),
  download: ({ visit }) => call('GET', visit.room.items[1].download_url),
  ticket: ({ room, visit }) => visit.post(`${room.publicUrl}/view`, { item_id: room.items[1].id }),
  heartbeat: ({ visit }) => visit.heartbeat({ active_seconds: 1 }),
  plan: ({ visit, stepUrl }) => visit.patch(stepUrl, { status: 'done' }),
}

async function startRunningVisit(): Promise<Running> {
  const room = await createActiveRoom({ public_title: 'Secret plans' }, [{ content_item_id: deck.id }])
  const { body: step } = await seller.post(`${room.url}/plan`, { title: 'Sign', side: 'buyer' })
  const visit = await startVisit(room, { email })
  return { room, visit, stepUrl: `${room.publicUrl}/plan/${step.id}` }
}

/** The page of an item leads to the page of the room, which shows the gate. */
function expectedStatus(name: string, status: number, pageStatus: number): number {
  if (name === 'file' || name === 'download') return 404
  if (name === 'page of an item' && pageStatus === 200) return 303
  return name === 'page' || name === 'room' ? pageStatus : status
}

for (const [change, { share, status, pageStatus = status, afterSeconds = 0 }] of Object.entries(changes))
  test(`the next request of every kind is refused: ${change}`, async () => {
    const running = await startRunningVisit()
    for (const [name, request] of Object.entries(requests)) {
      const before = await request(running)
      assert.ok(before.status < 300, `${name}: ${before.text}`)
    }
    const updated = await seller.patch(running.room.url, { share: share() })
    assert.equal(updated.status, 200)
    clock.advance(afterSeconds)

    for (const [name, request] of Object.entries(requests)) {
      const after = await request(running)

      assert.equal(after.status, expectedStatus(name, status, pageStatus), name)
      assert.doesNotMatch(after.text ?? '', /Secret plans|Deck/, name)
    }
  })

test('a change of the link that still lets the visitor in does not end the visit', async () => {
  const { room, visit } = await startRunningVisit()

  for (const share of [
    { access: 'email' },
    { blocked: ['ceo@buyer.example'] },
    { password: 'open-sesame' },
    { password: null },
  ])
    assert.equal((await seller.patch(room.url, { share })).status, 200)

  assert.equal((await visit.heartbeat({ active_seconds: 1 })).status, 200)
  assert.equal((await call('GET', visit.room.items[1].url)).status, 200)
})

test('files that are not shown in the browser have no URL without downloads, and every request checks downloads', async () => {
  const room = await createActiveRoom({}, [{ content_item_id: deck.id }, { content_item_id: letter.id }])
  const visit = await startVisit(room)
  const [, pdf, office] = visit.room.items
  const open = [await call('GET', office.url), await call('GET', pdf.download_url)]

  await seller.patch(room.url, { settings: { downloads_allowed: false } })
  const shown = (await visit.get(room.publicUrl)).body.room.items
  const { body: opened } = await visit.post(`${room.publicUrl}/view`, { item_id: room.items[2].id })
  const refused = [
    await call('GET', office.url),
    await call('GET', office.download_url),
    await call('GET', pdf.download_url),
    await call('GET', `${pdf.url}&download=true`),
  ]
  const inline = await call('GET', pdf.url)

  assert.deepEqual(
    open.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual([shown[2].url, shown[2].download_url, opened.url, shown[1].download_url], [null, null, null, null])
  assert.match(shown[1].url, /ticket=/)
  assert.deepEqual(
    refused.map(({ status }) => status),
    [404, 404, 404, 404],
  )
  assert.deepEqual([inline.status, /^inline/.test(String(inline.headers['content-disposition']))], [200, true])
})

test('claiming the address of a verified visitor on an open link neither renames them nor yields their token', async () => {
  const room = await createActiveRoom({ share: { access: 'verified_email' } })
  const { body: step } = await seller.post(`${room.url}/plan`, { title: 'Legal approves', side: 'buyer' })
  await visitor().post(`${room.publicUrl}/visit`, { email: 'vera@buyer.example' })
  const [mail] = await mails('vera@buyer.example', 1)
  const code = /\b\d{6}\b/.exec(mail!.subject!)![0]
  const vera = await startVisit(room, { email: 'vera@buyer.example', name: 'Vera', code })
  const { body: open } = await seller.post(`${room.url}/links`, {})
  const openRoom = { ...room, publicUrl: `/api/enablement/rooms/public/${open.share_token}` }

  const claimed = await startVisit(openRoom, { email: 'VERA@buyer.example', name: 'Mallory' })
  const withToken = await startVisit(openRoom, { visitor_token: claimed.visitor_token })
  await claimed.patch(`${openRoom.publicUrl}/plan/${step.id}`, { status: 'done' })
  const own = await startVisit(openRoom, { visitor_token: vera.visitor_token })
  const ownAddress = await startVisit(openRoom, { email: 'vera@buyer.example', visitor_token: vera.visitor_token })

  assert.deepEqual([vera.identity, claimed.identity, withToken.identity], ['verified', 'claimed', 'claimed'])
  assert.deepEqual([own.identity, ownAddress.identity], ['verified', 'verified'])
  const { rows } = await acme.sql(
    `select name, email_verified_at is not null as verified, (select count(*)::integer from enablement.room_visits visit
       where visit.visitor_id = visitor.id) as visits
     from enablement.room_visitors visitor where room_id = $1 order by name desc`,
    [room.id],
  )
  assert.deepEqual(rows, [
    { name: 'Vera', verified: true, visits: 3 },
    { name: 'Mallory', verified: false, visits: 2 },
  ])
  assert.equal((await seller.get(room.url)).body.plan.steps[0].completed_by, 'Mallory')
})

test('a second person who claims an address does not rename the first', async () => {
  const room = await createActiveRoom()
  const first = await startVisit(room, { email: 'bob@buyer.example', name: 'Bob' })

  await startVisit(room, { email: 'bob@buyer.example', name: 'Mallory' })
  const renamed = await startVisit(room, {
    email: 'bob@buyer.example',
    name: 'Robert',
    visitor_token: first.visitor_token,
  })

  assert.equal(renamed.identity, 'claimed')
  const { rows } = await acme.sql('select name from enablement.room_visitors where room_id = $1', [room.id])
  assert.deepEqual(rows, [{ name: 'Robert' }])
})

test('a blocked visitor cannot start a new visit with the token of an old one', async () => {
  const { room, visit } = await startRunningVisit()
  await seller.patch(room.url, { share: { blocked: [email] } })

  const again = [
    await visit.post(`${room.publicUrl}/visit`, {}),
    await visitor().post(`${room.publicUrl}/visit`, { visitor_token: visit.visitor_token }),
  ]

  assert.deepEqual(
    again.map(({ status, body }) => [status, body.code]),
    [
      [403, 'access_denied'],
      [403, 'access_denied'],
    ],
  )
})
