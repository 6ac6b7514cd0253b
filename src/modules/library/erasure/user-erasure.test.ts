import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { dumpDatabase, startTestApp, waitForValue } from '#testing'
import { mp4 } from '../../../platform/files/formats/sample-files.fixture.ts'
import { createScenario, exampleRubric, sessionsUrl } from '../../coaching/coaching.fixture.ts'
import { roleplayActions } from '../../coaching/roleplays/roleplay.fixture.ts'
import {
  createPractice,
  createPrompt,
  createTake,
  pitchFiles,
  review,
  scoresOf,
  submitTake,
} from '../../pitches/pitches.fixture.ts'

const app = await startTestApp()
const { tenant, services, database, startTestWorker } = app
await startTestWorker()
const { start, send } = roleplayActions

const word = 'quibbleworth'
const textOf = (what: string) => `A ${what} about ${word} and setup. Let us meet on Tuesday.`
const readTraces = () =>
  dumpDatabase(database.ownerUrl)
    .split('\n')
    .filter((line) => line.toLowerCase().includes(word))

test('a dump after the erasure of a user has no transcript, message or comment of the user', async () => {
  const acme = await tenant()
  const [seller, colleague] = [await acme.person('member'), await acme.person('member')]
  const repeatable = () => ({ 'idempotency-key': newId() })
  const scenario = await createScenario(acme)
  for (const is_private of [false, true]) {
    const roleplay = await start(seller, scenario, { is_private })
    for (let turn = 0; turn < 4; turn++) await send(seller, roleplay, textOf(`message ${turn}`))
    const finished = await seller.post(`${roleplay.url}/finish`, { reflection: textOf('reflection') }, repeatable())
    assert.equal(finished.status, 200, finished.text)
  }
  const active = await start(seller, scenario)
  await send(seller, active, textOf('question'))
  const { body: session } = await acme.manager.post(`${scenario.url}/sessions`, {
    rep_id: seller.userId,
    agenda: textOf('agenda'),
  })
  await acme.manager.patch(`${sessionsUrl}${session.id}`, { status: 'in_progress' })
  const scores = exampleRubric.map(({ key }) => ({ key, score: 50, comment: textOf('comment') }))
  await acme.manager.patch(`${sessionsUrl}${session.id}`, { status: 'completed', scores, feedback: textOf('feedback') })

  const prompt = await createPrompt(acme, { reviewer_ids: [seller.userId, acme.manager.userId] })
  const take = await createTake(seller, prompt, { title: textOf('title') })
  const files = pitchFiles(app, acme)
  const recording = { filename: `${word}.mp4`, content: mp4, transcript: textOf('transcript') }
  assert.equal((await files.upload(seller, take.id, recording, repeatable())).status, 201)
  assert.equal((await seller.post(`${take.url}/evaluate`, {}, repeatable())).status, 200)
  await review(acme.manager, take, { scores: scoresOf(80, 90), comment: textOf('review') })
  await acme.manager.post(`${take.url}/comments`, { body: textOf('comment') }, repeatable())
  await createPractice(seller, { topic: textOf('topic'), transcript: textOf('transcript'), review_requested: true })
  const other = await submitTake(colleague, prompt, { duration_seconds: 60 })
  const given = scoresOf(80, 90).map((score) => ({ ...score, comment: textOf('score') }))
  assert.equal((await review(seller, other, { scores: given, comment: textOf('review') })).status, 201)
  const comment = await seller.post(`${other.url}/comments`, { body: textOf('comment'), at_seconds: 12 }, repeatable())
  await colleague.post(`${other.url}/comments`, { body: 'Thank you.', parent_id: comment.body.id })
  const before = (await colleague.get(other.url)).body
  assert.ok(readTraces().length > 10)

  await acme.admin.patch(`/api/users/${seller.userId}`, { status: 'deactivated' })
  assert.equal((await acme.admin.delete(`/api/users/${seller.userId}`)).status, 204)
  const countRows = async () => {
    const { rows } = await acme.sql(
      `select (select count(*) from enablement.coaching_sessions where rep_id = $1::uuid)
         + (select count(*) from enablement.pitch_submissions where user_id = $1::uuid)
         + (select count(*) from enablement.pitch_comments where author_id = $1::uuid)
         + (select count(*) from platform.files where tenant_id = $2::uuid)
         + (select count(*) from pgboss.job_common where state < 'completed' and data::text like '%' || $1::text || '%') as rows`,
      [seller.userId, acme.id],
    )
    return Number(rows[0].rows)
  }
  await waitForValue(countRows, (rows) => rows === 0)
  const traces = readTraces()

  assert.deepEqual(traces, [])
  const { body } = await colleague.get(other.url)
  assert.deepEqual([body.status, body.final_score], [before.status, before.final_score])
  assert.deepEqual([body.reviews[0].reviewer, body.reviews[0].score, body.reviews[0].comment], [null, 84, null])
  assert.deepEqual(
    body.comments.map(({ author, at_seconds }: { author: unknown; at_seconds: number }) => [
      author === null,
      at_seconds,
    ]),
    [
      [true, 12],
      [false, 12],
    ],
  )
  const keys: string[] = []
  for await (const { key } of services.storage.list(`${acme.id}/`)) keys.push(key)
  assert.deepEqual(keys, [])
})
