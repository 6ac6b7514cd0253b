import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { newContact, newDeal } from '../../crm/deals/opportunities/opportunities.fixture.ts'
import { createItem } from '../../library/content/content.fixture.ts'
import { publicUrl, startRoomApp } from './visits.fixture.ts'

const { acme, tenant, visitor, createDeck, createActiveRoom, startVisit, visit } = await startRoomApp()
const { member: seller } = acme
const other = await tenant()

const deal = await newDeal(acme, { name: 'SECRET-deal' })
const contactId = await newContact(acme, 'SECRET-contact')
const deck = await createDeck({
  title: 'Deck',
  tags: ['secret-tag'],
  stages: ['secret-stage'],
  category: 'secret-category',
})
const hidden = await createItem(acme.manager, { title: 'SECRET-hidden' })
await acme.manager.patch(`/api/enablement/content/${hidden.id}`, { status: 'published' })
const room = await createActiveRoom(
  {
    name: 'SECRET-name',
    public_title: 'Offer',
    welcome: 'Hello **there**',
    opportunity_id: deal.id,
    primary_contact_id: contactId,
    sections: [{ title: 'Start' }],
    share: { access: 'email', allowed: ['secret-allowed@buyer.example'], blocked: ['secret-blocked@buyer.example'] },
  },
  [
    { content_item_id: deck.id },
    { content_item_id: hidden.id, is_visible: false },
    { kind: 'link', title: 'Website', url: 'https://example.com' },
  ],
)
await seller.post(`${room.url}/plan`, { title: 'SECRET-step', side: 'seller', is_internal: true })
await seller.post(`${room.url}/plan`, {
  title: 'Sign',
  side: 'buyer',
  assignee_name: 'Ann',
  assignee_email: 'secret-assignee@buyer.example',
  assignee_user_id: acme.manager.userId,
})
await visit(room, 60, { email: 'secret-visitor@buyer.example', name: 'SECRET-visitor' })
const foreignRoom = await createActiveRoom({ name: 'FOREIGN-room', public_title: 'FOREIGN-title' })

const keysOf = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, `${path}[]`))
  if (value === null || typeof value !== 'object') return [path]
  return Object.entries(value).flatMap(([key, child]) => keysOf(child, path ? `${path}.${key}` : key))
}

const itemKeys = [
  'id',
  'section_id',
  'kind',
  'title',
  'description',
  'body',
  'link_url',
  'media_type',
  'size_bytes',
  'page_count',
  'duration_seconds',
  'thumbnail_url',
  'url',
  'download_url',
  'visitor',
].map((key) => `items[].${key}`)
const payloadKeys = [
  'title',
  'welcome',
  'expires_at',
  'plan.progress_rate',
  ...['logo_url', 'cover_url', 'primary_color', 'accent_color', 'theme'].map((key) => `branding.${key}`),
  ...['name', 'title', 'avatar_url', 'email', 'meeting_url'].map((key) => `seller.${key}`),
  ...['id', 'title', 'description'].map((key) => `sections[].${key}`),
  ...itemKeys,
  ...['id', 'title', 'description', 'side', 'assignee_name', 'due_on', 'status'].map((key) => `plan.steps[].${key}`),
].sort()

test('the public payload has these fields and nothing of what the room keeps to itself', async () => {
  const opened = await startVisit(room, { email: 'ann@buyer.example' })
  const read = await opened.get(room.publicUrl)

  assert.deepEqual([...new Set(keysOf(opened.room))].sort(), payloadKeys)
  assert.deepEqual([...new Set(keysOf(read.body.room))].sort(), payloadKeys)
  assert.deepEqual(
    opened.room.items.map(({ title }: { title: string }) => title),
    ['Hello', 'Deck', 'Website'],
  )
  assert.equal(opened.room.seller.email, null)
  const text = JSON.stringify([opened.room, read.body])
  assert.doesNotMatch(text, /secret/i)
  for (const id of [deal.id, deal.account_id, contactId, seller.userId, acme.manager.userId, room.id, room.share.id])
    assert.ok(!text.includes(id))
  assert.ok(!text.includes(seller.email))
})

test('the address of the seller is only shown if the room allows it', async () => {
  await seller.patch(room.url, { settings: { show_owner_email: true } })
  const opened = await startVisit(room, { email: 'ann@buyer.example' })
  await seller.patch(room.url, { settings: { show_owner_email: false } })

  assert.equal(opened.room.seller.email, seller.email)
})

/** Tokens that were signed here for something else, changed, cut or made up. */
function forgedTokens(own: string, foreign: string, visitorToken: string): string[] {
  const [payload = '', signature = ''] = own.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const withClaims = (changes: object) =>
    `${Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url')}.${signature}`
  return [
    foreign,
    visitorToken,
    payload,
    `.${signature}`,
    `${payload}.`,
    `${own}x`,
    own.slice(1),
    own.toUpperCase(),
    withClaims({ exp: claims.exp + 1 }),
    withClaims({ tenant: other.id }),
    withClaims({ link: foreignRoom.share.id }),
    'null',
    '{}',
    'undefined',
    '../../rooms',
    '%00',
    "' or 1=1 --",
    ...Array.from(
      { length: 33 },
      () => `${randomBytes(90).toString('base64url')}.${randomBytes(32).toString('base64url')}`,
    ),
  ]
}

test('a curious visitor learns nothing with forged, foreign and expired tokens', async () => {
  const [own, foreign] = [await startVisit(room, { email: 'ann@buyer.example' }), await startVisit(foreignRoom)]
  const forged = forgedTokens(own.visit_token, foreign.visit_token, own.visitor_token)
  assert.equal(forged.length, 50)
  const itemId = room.items[1].id
  const [step] = (await own.get(room.publicUrl)).body.room.plan.steps
  const seen: string[] = []
  const statuses = new Map<string, Set<number>>()
  const note = (route: string, { status, text }: { status: number; text: string }) => {
    statuses.set(route, (statuses.get(route) ?? new Set()).add(status))
    seen.push(text)
  }

  for (const token of forged) {
    const curious = visitor({ 'x-visit-token': token })
    note('get', await curious.get(room.publicUrl))
    note('view', await curious.post(`${room.publicUrl}/view`, { item_id: itemId }))
    note('heartbeat', await curious.patch(`${room.publicUrl}/visit/${own.visit_id}`, { active_seconds: 5 }))
    note('plan', await curious.patch(`${room.publicUrl}/plan/${step.id}`, { status: 'done' }))
    note('file', await curious.get(own.room.items[1].url.replace(/ticket=.*/, `ticket=${encodeURIComponent(token)}`)))
  }
  note('foreign item', await own.post(`${room.publicUrl}/view`, { item_id: foreignRoom.items[0].id }))
  note('hidden item', await own.post(`${room.publicUrl}/view`, { item_id: room.items[2].id }))
  note('foreign room', await own.get(foreignRoom.publicUrl))
  note('forged visitor', await visitor().post(`${room.publicUrl}/visit`, { visitor_token: forged[0] }))
  for (let n = 0; n < 20; n++) note('unknown', await own.get(publicUrl(randomBytes(32).toString('base64url'))))

  assert.deepEqual(
    [...statuses].map(([route, codes]) => [route, [...codes]]),
    [
      ['get', [200]],
      ['view', [403]],
      ['heartbeat', [403]],
      ['plan', [403]],
      ['file', [404]],
      ['foreign item', [404]],
      ['hidden item', [404]],
      ['foreign room', [200]],
      ['forged visitor', [403]],
      ['unknown', [404]],
    ],
  )
  const gatedTexts = seen.filter((text) => !text.includes('FOREIGN-title'))
  assert.equal(seen.length - gatedTexts.length, 1)
  for (const text of gatedTexts) assert.doesNotMatch(text, /secret|FOREIGN|Offer|Deck|Website|Globex/i)
})

test('tokens that are not valid headers are rejected by the schema', async () => {
  const long = await visitor({ 'x-visit-token': 'x'.repeat(701) }).get(room.publicUrl)

  assert.equal(long.status, 422)
})

test('the page shows HTML that was rendered when its Markdown was saved, and renders older texts once', async () => {
  const article = await createItem(acme.manager, { title: 'Article', body: 'An *article*' })
  await acme.manager.patch(`/api/enablement/content/${article.id}`, { status: 'published' })
  const shown = await createActiveRoom({ welcome: '*Hello*' }, [{ content_item_id: article.id }])
  const [text] = shown.items
  const pageUrl = `/r/${shown.share.share_token}`
  const readPage = async () => {
    const { status, text: html } = await visitor().get(pageUrl)
    assert.equal(status, 200, html)
    return html
  }
  const storedHtml = async () => {
    const { rows } = await acme.sql(
      `select (select welcome_html from enablement.rooms where id = $1) as welcome,
         (select body_html from enablement.room_items where id = $2) as item,
         (select body_html from enablement.content_items where id = $3) as content`,
      [shown.id, text.id, article.id],
    )
    return rows[0]
  }

  assert.deepEqual(await storedHtml(), {
    welcome: '<p><em>Hello</em></p>\n',
    item: '<p>Welcome</p>\n',
    content: '<p>An <em>article</em></p>\n',
  })
  await acme.sql(`update enablement.room_items set body_html = '<p>Stored</p>' where id = $1`, [text.id])
  const stored = await readPage()
  assert.match(stored, /<em>Hello<\/em>[\s\S]*<p>Stored<\/p>[\s\S]*An <em>article<\/em>/)

  // Writes them as a process of the previous version does.
  const hostile = '!['.repeat(10_000)
  await acme.sql('update enablement.room_items set body = $2 where id = $1', [text.id, hostile])
  await acme.sql(`update enablement.rooms set welcome = '**New**' where id = $1`, [shown.id])
  await acme.sql(`update enablement.content_items set renderer_version = null where id = $1`, [article.id])
  const rendered = await readPage()

  assert.ok(rendered.includes('<strong>New</strong>') && rendered.includes('An <em>article</em>'))
  assert.ok(rendered.includes(`<p>${hostile}</p>`))
  assert.partialDeepStrictEqual(await storedHtml(), {
    welcome: '<p><strong>New</strong></p>\n',
    item: `<p>${hostile}</p>`,
  })

  const tooLong = '<'.repeat(100_000)
  await acme.sql('update enablement.content_items set body = $2 where id = $1', [article.id, tooLong])
  await acme.sql('update enablement.rooms set welcome = $2 where id = $1', [shown.id, `${'>'.repeat(21)} Quote`])
  const unformatted = await readPage()

  assert.ok(unformatted.includes(`<p>${'&gt;'.repeat(21)} Quote</p>`))
  assert.match(unformatted, /<p>(&lt;){1000,}…<\/p>/)
})

test('Markdown that would take long to render is refused when it is saved', async () => {
  const body = '!['.repeat(9_000)
  const welcome = '!['.repeat(2_400)
  const refused = [
    await seller.post(`${foreignRoom.url}/content`, { kind: 'text', title: 'Text', body }),
    await seller.patch(`${foreignRoom.url}/content/${foreignRoom.items[0].id}`, { body }),
    await seller.post('/api/enablement/rooms/', { name: 'Deal', welcome }),
    await seller.patch(foreignRoom.url, { welcome }),
    await seller.post('/api/enablement/content/', { title: 'Article', type: 'document', body }),
    await acme.manager.patch(`/api/enablement/content/${hidden.id}`, { body }),
  ]

  for (const { status, body: problem } of refused)
    assert.deepEqual([status, problem.errors?.[0].code], [422, 'max_brackets'])
})
