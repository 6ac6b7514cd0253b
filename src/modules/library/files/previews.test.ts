import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { waitForValue } from '#testing'
import { jpg, mp4, officeFile, pdf, png, wav } from '../../../platform/files/formats/sample-files.fixture.ts'
import { createItem, createPublishedItem, publishItem } from '../content/content.fixture.ts'
import { contentUrl, startContentApp } from './files.fixture.ts'

const { acme, call, upload, startTestWorker } = await startContentApp()
await startTestWorker()
const tools = await mkdtemp(join(tmpdir(), 'tools-'))
// Programs run as another user.
await chmod(tools, 0o755)
const path = process.env.PATH
after(async () => {
  process.env.PATH = path
  await rm(tools, { recursive: true, force: true })
})

async function installTool(name: string, script: string): Promise<void> {
  await writeFile(join(tools, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(tools, name), 0o755)
}
const search = async (words: string) => (await acme.viewer.get(`${contentUrl}?search=${words}`)).body
const fileOf = async (id: string) => (await acme.manager.get(`${contentUrl}${id}?track=false`)).body.file
const waitForPreview = (id: string) =>
  waitForValue(
    () => fileOf(id),
    ({ preview_state }) => preview_state !== 'pending',
  )

test('the text of a text file is found, ranked below titles', async () => {
  const item = await createPublishedItem(acme, { title: 'Terms', body: null, url: 'https://example.com' })
  const titled = await createPublishedItem(acme, { title: 'Indemnification explained' })

  await upload(acme.manager, item.id, { filename: 'terms.txt', content: Buffer.from('Limits of indemnification') })

  const found = await waitForValue(
    () => search('indemnif'),
    ({ total }) => total === 2,
  )
  assert.deepEqual(
    found.items.map(({ id }: { id: string }) => id),
    [titled.id, item.id],
  )
})

test('without a program for its type a preview is unavailable', async () => {
  process.env.PATH = tools
  const item = await createItem(acme.manager)

  await upload(acme.manager, item.id, { content: pdf })
  const file = await waitForPreview(item.id)
  process.env.PATH = path

  assert.deepEqual([file.preview_state, file.thumbnail_url, file.page_count], ['unavailable', null, null])
})

test('the text of an Office file is found', async () => {
  const item = await createPublishedItem(acme, { title: 'Plan', body: null, url: 'https://example.com' })
  const slide = { name: 'ppt/slides/slide1.xml', content: '<a:p><a:t>Quarterly roundtable</a:t></a:p>' }

  const uploaded = await upload(acme.manager, item.id, {
    filename: 'plan.pptx',
    content: officeFile('pptx', [slide]),
  })
  const found = await waitForValue(
    () => search('roundtable'),
    ({ total }) => total === 1,
  )

  assert.equal(uploaded.status, 201)
  assert.equal(found.items[0].id, item.id)
})

test('ffprobe provides width, height and duration', async () => {
  await installTool('ffmpeg', 'exit 1')
  await installTool('ffprobe', `echo '{"streams":[{"width":320,"height":180}],"format":{"duration":"20.5"}}'`)
  process.env.PATH = `${tools}:${path}`
  const film = await createItem(acme.manager, { type: 'video', body: undefined })
  const song = await createItem(acme.manager, { type: 'audio', body: undefined })

  await upload(acme.manager, film.id, { filename: 'film.mp4', content: mp4 })
  await upload(acme.manager, song.id, { filename: 'song.wav', content: wav })
  const files = [await waitForPreview(film.id), await waitForPreview(song.id)]
  process.env.PATH = path

  assert.deepEqual(
    files.map(({ width, height, duration_seconds }) => [width, height, duration_seconds]),
    [
      [320, 180, 20.5],
      [null, null, 20.5],
    ],
  )
})

test('poppler and ffmpeg provide thumbnail, number of pages and text', async () => {
  await installTool('pdftoppm', `echo ${jpg.toString('base64')} | base64 -d`)
  await installTool('pdfinfo', 'echo "Pages:          7"')
  await installTool('pdftotext', 'echo "Zweistufige Abschreibung"')
  await installTool('ffmpeg', 'exit 1')
  process.env.PATH = `${tools}:${path}`
  const item = await createItem(acme.manager)
  const image = await createItem(acme.manager, { type: 'image' })

  await upload(acme.manager, item.id, { content: pdf })
  await upload(acme.manager, image.id, { filename: 'a.png', content: png })
  const file = await waitForPreview(item.id)
  const damaged = await waitForPreview(image.id)
  await publishItem(acme, item.id)
  await waitForValue(
    () => search('abschreibung'),
    ({ total }) => total === 1,
  )
  process.env.PATH = path
  const thumbnail = await call('GET', file.thumbnail_url)

  assert.deepEqual([file.preview_state, file.page_count], ['ready', 7])
  assert.deepEqual([thumbnail.status, thumbnail.headers['content-type'], thumbnail.bytes], [200, 'image/jpeg', jpg])
  assert.equal(damaged.preview_state, 'failed')
})
