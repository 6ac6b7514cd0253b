import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForValue, waitUntil } from '#testing'
import { pdf } from '../../../platform/files/formats/sample-files.fixture.ts'
import { startClamd, virus } from '../../../platform/files/scan/clamd.stand-in.ts'
import { createItem, publishItem } from '../content/content.fixture.ts'
import { contentUrl, startContentApp } from './files.fixture.ts'

const clamd = await startClamd()
const { acme, call, upload, download, tenant, owner, startTestWorker } = await startContentApp({ CLAMD_URL: clamd.url })
const infectedPdf = Buffer.concat([pdf.subarray(0, 9), Buffer.from(`%${virus}\n`), pdf])
const cleanPdf = Buffer.concat([pdf.subarray(0, 9), Buffer.from('%clean\n'), pdf])
const publicUrl = (id: string, filename = 'a.pdf') => `${contentUrl}public/${id}/files/${filename}`
const scanStatusOf = async (id: string) => (await acme.manager.get(`${contentUrl}${id}`)).body.file?.scan.status
const isScanned = async (id: string) => !['pending', undefined].includes(await scanStatusOf(id))

const pending = await createItem(acme.manager, { body: null, visibility: 'public' })
const infected = await createItem(acme.member, { body: null })
await acme.manager.patch(`${contentUrl}${infected.id}`, { visibility: 'public' })
await upload(acme.manager, pending.id, { content: pdf })
await upload(acme.member, infected.id, { content: infectedPdf })

test('enablement-1-6 content cannot be published before the scan or with an infected file', async () => {
  const notices = async (user: typeof acme.member) => JSON.stringify((await user.get('/api/auth/notifications')).body)
  const early = await acme.manager.patch(`${contentUrl}${pending.id}`, { status: 'published' })
  const publicEarly = await call('GET', publicUrl(pending.id))
  assert.doesNotMatch(await notices(acme.member), /put in quarantine/)
  await startTestWorker()
  for (const { id } of [infected, pending]) await waitUntil(() => isScanned(id))
  await publishItem(acme, pending.id)
  const late = await acme.manager.patch(`${contentUrl}${infected.id}`, { status: 'published' })
  const file = await download(acme.member, infected.id, 'a.pdf')

  assert.deepEqual([early.status, early.body.code, early.headers['retry-after']], [409, 'scan_pending', '5'])
  assert.equal(publicEarly.status, 404)
  assert.deepEqual([late.status, late.body.code], [409, 'file_quarantined'])
  assert.deepEqual([file.status, file.body.code], [409, 'file_quarantined'])
  assert.equal((await call('GET', publicUrl(pending.id))).status, 200)
  assert.equal((await call('GET', publicUrl(infected.id))).status, 404)
  for (const user of [acme.member, acme.manager]) assert.match(await notices(user), /put in quarantine/)
})

test('a published item keeps its version until the new file is clean, and never returns to an older one', async () => {
  const item = await createItem(acme.manager, { visibility: 'public' })
  await publishItem(acme, item.id)
  await upload(acme.manager, item.id, { content: pdf })
  const current = () => acme.manager.get(`${contentUrl}${item.id}?track=false`)
  await waitForValue(current, ({ body }) => body.file?.version_no === 1)

  const uploaded = await upload(acme.manager, item.id, { content: infectedPdf })
  const next = await upload(acme.manager, item.id, { content: cleanPdf })
  await waitForValue(current, ({ body }) => body.file?.version_no === 3)

  assert.deepEqual([uploaded.status, uploaded.body.is_current], [201, false])
  assert.deepEqual([next.status, next.body.version_no], [201, 3])
  assert.deepEqual((await call('GET', publicUrl(item.id))).bytes, cleanPdf)
})

test('enablement-1-5 everything that is not public is the same 404', async () => {
  await waitUntil(() => isScanned(pending.id))
  const create = async (fields: object, ...changes: object[]) => {
    const item = await createItem(acme.manager, { body: null, visibility: 'public', ...fields })
    await upload(acme.manager, item.id, { content: pdf })
    await waitUntil(() => isScanned(item.id))
    for (const change of changes) await acme.manager.patch(`${contentUrl}${item.id}`, change)
    return item.id as string
  }
  const published = await create({}, { status: 'published' })
  const other = await tenant()
  const { accessToken } = acme.manager
  const { body } = await acme.manager.get(`${contentUrl}${published}`)
  const userTicket = new URL(body.file.stream_url, 'http://x').searchParams.get('ticket')

  const answers = [
    await call('GET', publicUrl(await create({}))),
    await call('GET', publicUrl(await create({ visibility: 'internal' }, { status: 'published' }))),
    await call('GET', publicUrl(await create({}, { status: 'published' }, { status: 'archived' }))),
    await call('GET', publicUrl(published), { host: other.host }),
    await call('GET', publicUrl(newId())),
    await call('GET', publicUrl(published, 'b.pdf')),
    await call('GET', publicUrl(published, '~thumbnail.jpg')),
    await call('GET', `${publicUrl(published)}?ticket=nonsense`),
    await call('GET', `${publicUrl(published)}?ticket=${userTicket}`),
    await call('GET', publicUrl(infected.id), { authorization: `Bearer ${accessToken}` }),
  ]
  const served = await call('GET', publicUrl(published))

  const texts = answers.map(({ bytes, body }) => bytes.toString().replace(body.request_id, ''))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]))
  assert.equal(new Set(texts).size, 1)
  assert.deepEqual([served.status, served.bytes], [200, pdf])
  assert.equal(served.headers['cache-control'], 'public, max-age=300')
})

test('public downloads are counted once per download and bots are marked', async () => {
  const item = await createItem(acme.manager, { visibility: 'public' })
  await upload(acme.manager, item.id, { content: pdf })
  await waitUntil(() => isScanned(item.id))
  await publishItem(acme, item.id)
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }

  await call('GET', publicUrl(item.id), agent)
  await call('GET', publicUrl(item.id), { ...agent, range: 'bytes=0-' })
  for (const range of ['bytes=0-1', 'bytes=10-', 'bytes=-5', 'bytes=0-1,4-5'])
    await call('GET', publicUrl(item.id), { ...agent, range })
  await call('GET', `${publicUrl(item.id)}?track=false`, agent)
  await call('HEAD', publicUrl(item.id), agent)
  await call('GET', publicUrl(item.id), { 'user-agent': 'Googlebot/2.1' })

  const { rows } = await owner.query(
    'select source, is_bot, user_id from enablement.content_views where item_id = $1 order by is_bot',
    [item.id],
  )
  assert.deepEqual(rows, [
    { source: 'public', is_bot: false, user_id: null },
    { source: 'public', is_bot: false, user_id: null },
    { source: 'public', is_bot: true, user_id: null },
  ])
})

test('public downloads are limited per network and per item', async () => {
  const limited = await startTestApp({ RATE_LIMIT_FACTOR: '1' })
  const workspace = await limited.tenant()

  const { headers } = await workspace.anonymous.get(publicUrl(newId()))

  assert.match(headers['ratelimit-policy'], /"public_content";q=120;w=60.*"public_content_item";q=1000;w=60/)
})
