import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createPrompt, createTake, submissionUrl } from '../../src/modules/pitches/pitches.fixture.ts'
import { startBrowser } from '../reference/browser.ts'
import { saveScreenshot } from './screenshots.ts'

const app = await startTestApp({ APP_DOMAIN: 'localhost', APP_SCHEME: 'http' })
const port = Number(new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })).port)
const browser = await startBrowser('chromium-headless-shell', { hasCamera: true })
const clip = readFileSync(new URL('clip.mp4', import.meta.url))

type Uploaded = { status: number; body: { status: string; video: { stream_url: string; media_type: string } } }

/** Opens an empty page of the workspace, whose scripts may call its API. */
async function openPage({ host }: { host: string }) {
  const origin = `http://${host}:${port}`
  const page = await browser.newPage()
  await page.route(`${origin}/recorder`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>x</title>' }),
  )
  await page.goto(`${origin}/recorder`)
  return page
}

/** Runs in the page: records the camera until ten chunks have arrived. */
const record = `async function record() {
  const stream = await navigator.mediaDevices.getUserMedia({ video: true, audio: true })
  const recorder = new MediaRecorder(stream)
  const chunks = []
  await new Promise((resolve, reject) => {
    recorder.ondataavailable = ({ data }) => {
      chunks.push(data)
      if (chunks.length === 10) recorder.stop()
    }
    recorder.onstop = resolve
    recorder.onerror = reject
    recorder.start(100)
  })
  for (const track of stream.getTracks()) track.stop()
  return new Blob(chunks, { type: 'video/webm' })
}`

/** Runs in the page: sends the recording with its form. */
const send = `async function send(blob, filename, { url, token }) {
  const form = new FormData()
  form.append('duration_seconds', '1')
  form.append('video', blob, filename)
  const headers = { authorization: 'Bearer ' + token }
  const response = await fetch(url + '/upload', { method: 'POST', headers, body: form })
  return { status: response.status, body: await response.json() }
}`

/** Runs in the page: plays a URL, seeks, and returns the size of the picture and the time after the seek. */
const play = `async function play(url, seconds) {
  const video = document.createElement('video')
  video.muted = true
  document.body.append(video)
  const once = (name) => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true })
    video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true })
  })
  const loaded = once('loadeddata')
  video.src = url
  await loaded
  const playing = once('timeupdate')
  await video.play()
  await playing
  video.pause()
  const seeked = once('seeked')
  video.currentTime = seconds
  await seeked
  return { width: video.videoWidth, time: video.currentTime }
}`

async function startRecording() {
  const acme = await app.tenant()
  const take = await createTake(acme.member, await createPrompt(acme))
  const target = { url: submissionUrl(take.id), token: acme.member.accessToken }
  return { acme, page: await openPage(acme), target }
}

type Pages = Awaited<ReturnType<typeof startRecording>>

async function assertPlayable({ page, acme }: Pages, uploaded: Uploaded, mediaType: string) {
  assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body))
  const { status, video } = uploaded.body
  assert.deepEqual([status, video.media_type], ['submitted', mediaType])
  const shown = (await page.evaluate(`(${play})(${JSON.stringify(video.stream_url)}, 0.5)`)) as {
    width: number
    time: number
  }
  assert.ok(shown.width > 0)
  assert.equal(shown.time, 0.5)
  await saveScreenshot(page, `pitch/${mediaType.replace('/', '-')}`)
  const readRange = () =>
    page.evaluate(
      `fetch(${JSON.stringify(video.stream_url)}, { headers: { range: 'bytes=0-9' } }).then(({ status }) => status)`,
    )
  assert.equal(await readRange(), 206)
  await acme.admin.patch(`/api/users/${acme.member.userId}`, { status: 'deactivated' })
  assert.equal(await readRange(), 401)
  await page.close()
}

test('enablement-6-12 a browser records a pitch, uploads it, plays and seeks it until the user is deactivated', async () => {
  const started = await startRecording()
  const { page, target } = started

  const uploaded = (await page.evaluate(
    `(async () => (${send})(await (${record})(), 'pitch.webm', ${JSON.stringify(target)}))()`,
  )) as Uploaded

  await assertPlayable(started, uploaded, 'video/webm')
})

test('a browser uploads an MP4 file, plays and seeks it', async () => {
  const started = await startRecording()
  const { page, target } = started
  const bytes = JSON.stringify([...clip])

  const uploaded = (await page.evaluate(
    `(${send})(new Blob([new Uint8Array(${bytes})]), 'pitch.mp4', ${JSON.stringify(target)})`,
  )) as Uploaded

  await assertPlayable(started, uploaded, 'video/mp4')
})
