import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Response } from 'playwright-core'
import { assertHidesAnswers } from '../../src/modules/learning/hidden-answers.fixture.ts'
import {
  createPath,
  enroll,
  questionsOfAllKinds,
  quizModule,
  rightAnswers,
} from '../../src/modules/learning/learning.fixture.ts'
import { createItem, publishItem } from '../../src/modules/library/content/content.fixture.ts'
import { startContentApp } from '../../src/modules/library/files/files.fixture.ts'
import { startBrowser } from '../reference/browser.ts'

const app = await startContentApp({ APP_DOMAIN: 'localhost', APP_SCHEME: 'http' })
const { acme, port, upload } = app
const browser = await startBrowser()
const clip = readFileSync(new URL('clip.mp4', import.meta.url))
const origin = `http://${acme.host}:${port}`

type Reply = { status: number; body: Record<string, never> & { code?: string; seen?: number; needed?: number } }

/** Runs in the page: calls the API as the learner. */
const call = `async function call(method, url, body) {
  const headers = { authorization: 'Bearer ' + window.token, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}`

/** Runs in the page: opens the content and plays its video by the ticket. Time counts only while it plays. */
const open = `async function open(itemId) {
  const { body } = await call('GET', '/api/enablement/content/' + itemId)
  const video = document.createElement('video')
  video.muted = true
  video.loop = true
  document.body.append(video)
  video.src = body.file.stream_url
  await new Promise((resolve, reject) => {
    video.addEventListener('loadeddata', resolve, { once: true })
    video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true })
  })
  let playedMs = 0
  let progress = 0
  window.play = async (seconds) => {
    const startedAt = performance.now()
    await video.play()
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    video.pause()
    playedMs += performance.now() - startedAt
  }
  window.seek = (seconds) => new Promise((resolve) => {
    video.addEventListener('seeked', resolve, { once: true })
    video.currentTime = seconds
  })
  window.beat = () => {
    progress = Math.max(progress, video.currentTime / video.duration)
    const heartbeat = { active_seconds: Math.floor(playedMs / 1000), progress }
    return call('PATCH', '/api/enablement/content/views/' + body.view_id, heartbeat)
  }
  return video.videoWidth
}`

/** Reads the response at once, because a page forgets its responses when it is loaded again. */
async function searchResponse(response: Response): Promise<void> {
  const [method, url, status] = [response.request().method(), response.url(), response.status()]
  assertHidesAnswers({ method, url, status, text: await response.text(), role: 'member' })
}

/** Opens an empty page of the workspace, whose scripts call its API as the learner, and searches every response for answers of the quiz. */
async function openPage(token: string) {
  const page = await browser.newPage()
  const searches: Promise<void>[] = []
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('json')) searches.push(searchResponse(response))
  })
  await page.route(`${origin}/player`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>x</title>' }))
  const prepare = () => page.evaluate(`window.token = ${JSON.stringify(token)}; window.call = ${call}; undefined`)
  await page.goto(`${origin}/player`)
  await prepare()
  return {
    page,
    searches,
    run: <T>(script: string) => page.evaluate(script) as Promise<T>,
    send: (method: string, url: string, body?: object) =>
      page.evaluate(
        `window.call(${JSON.stringify(method)}, ${JSON.stringify(url)}, ${JSON.stringify(body)})`,
      ) as Promise<Reply>,
    async reload() {
      await page.reload()
      await prepare()
    },
  }
}

test('enablement-5-2 a learner watches a video by its ticket, takes a timed quiz with a reload, and gets the certificate', async () => {
  const item = await createItem(acme.manager, { title: 'Film', type: 'video', body: undefined })
  assert.equal((await upload(acme.manager, item.id, { filename: 'film.mp4', content: clip })).status, 201)
  await publishItem(acme, item.id)
  await acme.sql('update platform.files set duration_seconds = 20 where tenant_id = $1', [acme.id])
  const path = await createPath(acme, {
    modules: [
      { kind: 'video', content_item_id: item.id, min_seconds: 4, min_progress: 0.3 },
      quizModule({ questions: questionsOfAllKinds, time_limit_seconds: 600, review: 'none' }),
    ],
    certificate: { enabled: true },
  })
  const [video, quiz] = path.modules as unknown as [{ id: string }, { id: string }]
  const enrollment = await enroll(acme.member, path)
  const learner = await openPage(acme.member.accessToken)
  const { run, send } = learner
  const complete = () => send('POST', `${enrollment.url}/complete-module`, { module_id: video.id })
  const quizUrl = `${enrollment.url}/modules/${quiz.id}`

  const width = await run<number>(`(${open})(${JSON.stringify(item.id)})`)
  await run('window.play(1.2)')
  await run('window.beat()')
  const early = await complete()
  await run('window.seek(19)')
  const jumped = await run<Reply>('window.beat()')
  const seeked = await complete()
  await run('window.play(3.2)')
  await run('window.beat()')
  const watched = await complete()
  const started = await send('POST', `${quizUrl}/start-quiz`)
  const attempt = started.body as unknown as { id: string; questions: never[] }
  const answers = rightAnswers(attempt.questions)
  await send('PUT', `${quizUrl}/attempts/${attempt.id}/answers`, { answers: answers.slice(0, 1) })
  await learner.reload()
  const resumed = await send('POST', `${quizUrl}/start-quiz`)
  const submitted = await send('POST', `${quizUrl}/submit-quiz`, { attempt_id: attempt.id, answers })

  assert.ok(width > 0)
  assert.deepEqual([early.status, early.body.code, early.body.needed], [409, 'minimum_not_met', 4])
  assert.ok(early.body.seen! < 4)
  const { progress, active_seconds } = jumped.body as unknown as { progress: number; active_seconds: number }
  assert.ok(progress <= (2 * active_seconds) / 20, 'the position of the player says nothing about what was played')
  assert.deepEqual([seeked.status, seeked.body.code, seeked.body.seen], [409, 'minimum_not_met', early.body.seen])
  assert.equal(watched.status, 200)
  assert.deepEqual([started.status, resumed.status], [201, 200])
  assert.deepEqual(resumed.body.questions, attempt.questions)
  assert.deepEqual(resumed.body.answers, answers.slice(0, 1))
  const { enrollment: done, certificate } = submitted.body as unknown as Record<string, Record<string, string>>
  assert.deepEqual([submitted.status, done!.status, certificate!.status], [200, 'completed', 'valid'])
  assert.ok(learner.searches.length >= 11)
  await Promise.all(learner.searches)
  await learner.page.close()
})
