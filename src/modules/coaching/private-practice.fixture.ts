import assert from 'node:assert/strict'
import { newId } from '#platform/ids'
import type { startTestApp, TestUser } from '#testing'
import { mp4 } from '../../platform/files/formats/sample-files.fixture.ts'
import { createPractice, pitchFiles, review, submissionUrl } from '../pitches/pitches.fixture.ts'
import { sessionsUrl } from './coaching.fixture.ts'
import { roleplayActions, roleplayUrl } from './roleplays/roleplay.fixture.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
type Acme = Awaited<ReturnType<TestApp['tenant']>>

/** Occurs only in private practice. */
export const privateWord = 'wobblethorpe'
const textOf = (what: string) => `A ${what} about ${privateWord} and setup. Let us meet on Tuesday.`
/** Ends with a box without a meaning, whose size is its first byte. */
const recording = Buffer.concat([
  mp4,
  Buffer.from([0, 0, 0, 8 + privateWord.length]),
  Buffer.from(`free${privateWord}`),
])

async function succeed<R extends { status: number; body?: unknown }>(response: Promise<R>): Promise<R> {
  const { status, body } = await response
  assert.ok(status < 300, JSON.stringify(body))
  return await response
}

const post = (user: TestUser, url: string, body: object = {}) =>
  succeed(user.post(url, body, { 'idempotency-key': newId() }))

/** Uses every operation of a private roleplay and of private practice, with the word in every text, and returns the ids. */
export async function practicePrivately(app: Pick<TestApp, 'app'>, acme: Acme, user = acme.member) {
  const roleplay = await practiceRoleplay(acme, user)
  const pitch = await createPractice(user, { topic: textOf('topic'), title: textOf('title') })
  await succeed(pitchFiles(app, acme).upload(user, pitch.id, { content: recording, transcript: textOf('transcript') }))
  await post(user, `${pitch.url}/evaluate`)
  const { body: comment } = await post(user, `${pitch.url}/comments`, { body: textOf('comment') })
  await post(user, `${pitch.url}/comments`, { body: textOf('reply'), parent_id: comment.id })
  await succeed(user.patch(pitch.url, { title: textOf('new title') }))
  return { roleplayId: roleplay.id, pitchId: pitch.id }
}

async function practiceRoleplay(acme: Acme, user: TestUser) {
  const { start, send, createExercise } = roleplayActions
  const roleplay = await start(user, await createExercise(acme), { is_private: true })
  for (let turn = 0; turn < 4; turn++) await send(user, roleplay, textOf(`message ${turn}`))
  await post(user, `${roleplay.url}/live-analysis`)
  await post(user, `${roleplay.url}/finish`, { reflection: textOf('reflection') })
  await succeed(user.patch(`${sessionsUrl}${roleplay.id}`, { rep_reflection: textOf('second reflection') }))
  return roleplay
}

/** Practice with a review and a comment of a manager, which became private again. */
export async function withdrawPractice(acme: Acme, user = acme.member): Promise<string> {
  const pitch = await createPractice(user, { transcript: textOf('transcript'), review_requested: true })
  const { body } = await user.get(pitch.url)
  const scores = body.criteria.map(({ key }: { key: string }) => ({ key, score: 70 }))
  await succeed(review(acme.manager, pitch, { scores, comment: textOf('review') }))
  await post(acme.manager, `${pitch.url}/comments`, { body: textOf('comment of a manager') })
  await succeed(user.patch(pitch.url, { review_requested: false }))
  return pitch.id
}

export type PrivatePractice = Awaited<ReturnType<typeof practicePrivately>>

/** What the user sees of private practice, without the ticket of the recording. */
export async function readPractice(
  app: Pick<TestApp, 'app'>,
  acme: Acme,
  practice: PrivatePractice,
  user = acme.member,
) {
  const { roleplayId, pitchId } = practice
  const responses = await Promise.all(
    [roleplayUrl(roleplayId), `${sessionsUrl}${roleplayId}`, submissionUrl(pitchId)].map((url) => user.get(url)),
  )
  const { status, bytes } = await pitchFiles(app, acme).download(user, pitchId)
  return {
    statuses: [...responses.map((response) => response.status), status],
    bodies: responses.map(({ body }) => (body.video ? { ...body, video: { ...body.video, stream_url: null } } : body)),
    recording: bytes.toString('base64'),
  }
}
