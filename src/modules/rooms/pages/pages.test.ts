import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookiesOf, form, startRoomApp } from '../visits/visits.fixture.ts'

const { acme, call, visitor, createDeck, createRoom, createActiveRoom, openPreview, startTestWorker, mails } =
  await startRoomApp({
    RATE_LIMIT_FACTOR: '1',
  })
const { member: seller } = acme
await startTestWorker()
const deck = await createDeck()

type Room = Awaited<ReturnType<typeof createActiveRoom>>
type Visitor = ReturnType<typeof visitor>
const pageOf = ({ share }: Room) => `/r/${share.share_token}`
const headingOf = (html: string) => /<h1[^>]*>([^<]+)<\/h1>/.exec(html)?.[1]
const submit = (from: Visitor, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  from.post(path, new URLSearchParams(fields).toString(), { ...form, ...headers })

async function createPlannedRoom(fields: object = {}) {
  const room = await createActiveRoom(fields, [{ content_item_id: deck.id }])
  const add = async (step: object) => (await seller.post(`${room.url}/plan`, step)).body
  const own = await add({ title: 'Sign the contract', side: 'buyer' })
  const ofSeller = await add({ title: 'Prepare the kick-off', side: 'seller' })
  const stepUrl = (step: { id: string }) => `${pageOf(room)}/plan/${step.id}`
  const statusOf = async (step: { id: string }) =>
    (await seller.get(room.url)).body.plan.steps.find(({ id }: { id: string }) => id === step.id).status
  return { ...room, own, ofSeller, stepUrl, statusOf }
}

test('a visitor marks a step as done and as not done without a script', async () => {
  const room = await createPlannedRoom({ share: { access: 'email' } })
  const from = visitor()
  const cookie = cookiesOf(await submit(from, pageOf(room), { email: 'ann@buyer.example' }))

  const done = await submit(from, room.stepUrl(room.own), { status: 'done' }, { cookie })
  const page = await from.get(pageOf(room), { cookie })
  const statusAfterwards = await room.statusOf(room.own)
  const undone = await submit(from, room.stepUrl(room.own), { status: 'todo' }, { cookie })

  assert.deepEqual([done.status, done.headers.location], [303, `${pageOf(room)}#plan`])
  assert.match(page.text, /1 of 2 done[\s\S]*Mark as not done: Sign the contract/)
  assert.doesNotMatch(page.text, /Your next step|Mark as [a-z ]*done: Prepare the kick-off/)
  assert.deepEqual([statusAfterwards, undone.status, await room.statusOf(room.own)], ['done', 303, 'todo'])
})

test('a step that the visitor must not change stays as it is, and a page says so', async () => {
  const room = await createPlannedRoom({ share: { access: 'email' } })
  const from = visitor()
  const cookie = cookiesOf(await submit(from, pageOf(room), { email: 'ann@buyer.example' }))
  const unknown = { id: '0190a0aa-0000-7000-8000-00000000000a' }
  const send = (step: { id: string }, headers: Record<string, string> = { cookie }, status = 'done') =>
    submit(from, room.stepUrl(step), { status }, headers)

  const refused = [await send(room.ofSeller), await send(unknown), await send(room.own, {})]
  const invalid = await send(room.own, { cookie }, 'cancelled')
  await seller.patch(room.url, { share: { blocked: ['ann@buyer.example'] } })
  const blocked = await send(room.own)
  await seller.patch(room.url, { share: { blocked: [] }, status: 'closed' })
  const closed = await send(room.own)

  assert.deepEqual(
    [...refused, invalid, blocked, closed].map(({ status, text }) => [status, headingOf(text)]),
    [
      [404, 'This step was not changed'],
      [404, 'This step was not changed'],
      [403, `${acme.name} shared a private page with you`],
      [422, 'This did not work'],
      [403, `${acme.name} shared a private page with you`],
      [410, 'This page is closed'],
    ],
  )
  assert.deepEqual([await room.statusOf(room.own), await room.statusOf(room.ofSeller)], ['todo', 'todo'])
})

test('a visitor of an open link says who they are, and then the step is done', async () => {
  const room = await createPlannedRoom()
  const from = visitor()

  const asked = await submit(from, room.stepUrl(room.own), { status: 'done' })
  const invalid = await submit(from, pageOf(room), { step: room.own.id, email: 'ann@' })
  const identified = await submit(from, pageOf(room), { step: room.own.id, email: 'ann@buyer.example' })

  assert.deepEqual([asked.status, headingOf(asked.text)], [403, 'Who changes the plan?'])
  assert.match(asked.text, new RegExp(`name="step" value="${room.own.id}"`))
  assert.deepEqual([invalid.status, headingOf(invalid.text)], [422, 'Who changes the plan?'])
  assert.deepEqual([identified.status, await room.statusOf(room.own)], [303, 'done'])
})

test('a preview shows a draft to the seller only', async () => {
  const draft = await createRoom({ public_title: 'Offer' })
  const url = `/api/enablement/rooms/${draft.id}`
  const { body: item } = await seller.post(`${url}/content`, { content_item_id: deck.id })
  const publicUrl = `/api/enablement/rooms/public/${draft.share.share_token}`
  const { from, path, token, cookie } = await openPreview(draft)
  const headers = { 'x-visit-token': token }
  const shown = await from.get(publicUrl, headers)
  const [placed] = shown.body.room.items

  assert.deepEqual([shown.status, placed.title], [200, 'Deck'])
  const pages = [
    await from.get(path, { cookie }),
    await from.get(`${path}/items/${item.id}`, { cookie }),
    await call('GET', placed.url),
    await from.post(`${publicUrl}/view`, { item_id: item.id }, headers),
  ]
  assert.deepEqual(
    pages.map(({ status: one }) => one),
    [200, 200, 200, 201],
  )
  const refused = [
    await visitor().get(publicUrl),
    await visitor().get(path),
    await visitor().post(`${publicUrl}/visit`, {}),
    await from.post(`${publicUrl}/visit`, { email: 'ann@buyer.example' }, headers),
    await from.get(publicUrl, { 'x-visit-token': `${token.slice(0, -4)}AAAA` }),
  ]
  assert.deepEqual(
    refused.map(({ status: one }) => one),
    [404, 404, 404, 404, 404],
  )
  assert.equal((await seller.delete(url)).status, 204)
  assert.deepEqual([(await call('GET', placed.url)).status, (await from.get(path, { cookie })).status], [404, 410])
})

test('a preview shows the buttons of the plan but cannot change it', async () => {
  const room = await createPlannedRoom()
  const { from, path, cookie } = await openPreview(room)

  const page = await from.get(path, { cookie })
  const refused = await submit(from, room.stepUrl(room.own), { status: 'done' }, { cookie })

  assert.match(page.text, /<button class="tick"[^>]* disabled>/)
  assert.deepEqual([refused.status, headingOf(refused.text)], [403, 'This is a preview'])
})

test('a browser with cookies of the previous version stays in its visit until it has cookies with a prefix', async () => {
  const room = await createActiveRoom({ share: { access: 'email' } })
  const from = visitor()
  const enter = async (email: string, cookie = '') =>
    cookiesOf(await submit(from, pageOf(room), { email }, cookie ? { cookie } : {}))
  const visitIn = async (cookie: string) =>
    /data-visit-id="([^"]+)"/.exec((await from.get(pageOf(room), { cookie })).text)?.[1]
  const current = await enter('ann@buyer.example')
  const old = current.replaceAll('__Secure-', '')

  const kept = await visitIn(old)
  const renewed = await enter('ann@buyer.example', old)
  const [ofRenewed, ofBoth] = [await visitIn(renewed), await visitIn(`${old}; ${renewed}`)]

  assert.match(current, /^__Secure-room_visit=[^;]+; __Secure-room_visitor=[^;]+$/)
  assert.ok(kept && ofRenewed && kept !== ofRenewed)
  assert.deepEqual([kept, ofBoth], [await visitIn(current), ofRenewed])
  const { rows } = await acme.sql(
    'select count(*)::integer as visits, count(distinct holder_id)::integer as browsers from enablement.room_visits where room_id = $1',
    [room.id],
  )
  assert.deepEqual(rows, [{ visits: 2, browsers: 1 }])
})

test('a room without files has no button for files, and one with files has it before the visit only', async () => {
  const withFiles = await createPlannedRoom()
  const withoutFiles = await createActiveRoom()
  const from = visitor()
  const before = (await from.get(pageOf(withFiles))).text
  const cookie = cookiesOf(await submit(from, pageOf(withFiles), {}))
  const during = (await from.get(pageOf(withFiles), { cookie })).text

  assert.match(before, /Open the files[\s\S]*<h3>Deck<\/h3>[\s\S]*Not open yet/)
  assert.match(during, /<h3><a href="[^"]+\/items\/[^"]+">Deck<\/a><\/h3>[\s\S]*Not opened yet/)
  for (const text of [during, (await from.get(pageOf(withoutFiles))).text]) assert.doesNotMatch(text, /Open the files/)
})

test('a visitor asks for the code again, and the page says the same for every address', async () => {
  const room = await createActiveRoom({ share: { access: 'allow_list', allowed: ['@buyer.example'] } })
  const ask = async (email: string, fields: Record<string, string>) =>
    (await submit(visitor(), pageOf(room), { email, ...fields })).text.replaceAll(email, 'address')

  const [sent, toStranger] = [await ask('ann@buyer.example', {}), await ask('eve@evil.example', {})]
  await mails('ann@buyer.example', 1)
  const again = await ask('ann@buyer.example', { again: '1', code: '123456' })
  const strangerAgain = await ask('eve@evil.example', { again: '1', code: '' })

  assert.equal((await mails('ann@buyer.example', 2)).length, 2)
  assert.deepEqual([sent, again], [toStranger, strangerAgain])
  assert.match(sent, /If <b>address<\/b> may open this page[\s\S]*formnovalidate>Send again</)
  assert.match(again, /role="status"[\s\S]*a new code arrives in a moment/)
})

test('a locked link says for how long, and too many colleagues behind one address get a page', async () => {
  const room = await createActiveRoom({ share: { password: 'open-sesame' } })
  const [guesser, colleagues] = [visitor(), visitor()]

  const wrong = await submit(guesser, pageOf(room), { password: 'wrong' })
  for (let n = 0; n < 4; n++) await submit(guesser, pageOf(room), { password: `wrong-${n}` })
  const locked = await submit(guesser, pageOf(room), { password: 'open-sesame' })
  const statuses = []
  for (let n = 0; n < 10; n++)
    statuses.push((await submit(colleagues, pageOf(room), { password: 'open-sesame' })).status)
  const eleventh = await submit(colleagues, pageOf(room), { password: 'open-sesame' })

  assert.equal(wrong.status, 403)
  assert.match(wrong.text, /aria-invalid="true"[^>]*aria-describedby="password-problem"[\s\S]*not correct/)
  assert.deepEqual([locked.status, headingOf(locked.text)], [429, 'Too many attempts'])
  assert.match(locked.text, /Try again in <b data-seconds="\d+">15 minutes<\/b>, at <time datetime="[^"]+">\d/)
  assert.ok(Number(locked.headers['retry-after']) > 600)
  assert.deepEqual(new Set(statuses), new Set([303]))
  assert.deepEqual([eleventh.status, headingOf(eleventh.text)], [429, 'Too many requests'])
})

test('the page and its gate are in the language of the browser', async () => {
  const room = await createPlannedRoom({ expires_at: undefined, share: { access: 'email' } })
  const texts: Record<string, string> = {
    de: 'hat eine private Seite mit Ihnen geteilt',
    fr: 'a partagé une page privée avec vous',
    es: 'ha compartido una página privada con usted',
    pt: 'partilhou uma página privada consigo',
  }
  for (const [language, text] of Object.entries(texts)) {
    const from = visitor({ 'accept-language': language })
    const gate = await from.get(pageOf(room))
    assert.ok(gate.text.includes(text), language)
    const cookie = cookiesOf(await submit(from, pageOf(room), { email: `ann@${language}.example` }))
    const page = (await from.get(pageOf(room), { cookie })).text
    assert.match(page, new RegExp(`<html lang="${language}"`))
    assert.doesNotMatch(page, /Our plan|Your next step|Runs on|Mark as done|Not opened/)
  }
})
