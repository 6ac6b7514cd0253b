import { newId } from '#platform/ids'
import { createScenario, sessionsUrl } from '../../../src/modules/coaching/coaching.fixture.ts'
import { roleplayActions } from '../../../src/modules/coaching/roleplays/roleplay.fixture.ts'
import {
  createPractice,
  createPrompt,
  pitchFiles,
  review,
  submitTake,
} from '../../../src/modules/pitches/pitches.fixture.ts'
import { mp4 } from '../../../src/platform/files/formats/sample-files.fixture.ts'
import { addIds, type CanaryWorkspace, succeed } from '../canary-workspace.ts'

const sentence = (word: string) => `Our setup with ${word} is simple. Let us meet on Tuesday.`
/** A box of an MP4 file without a meaning, whose size is its first bytes. */
const freeBox = (word: string) => Buffer.concat([Buffer.from([0, 0, 0, 8 + word.length]), Buffer.from(`free${word}`)])

/** Pitches and roleplays of the owner: private ones, and a take and a session that coaches see. */
export async function createPracticeRecords(canary: CanaryWorkspace): Promise<void> {
  await createPrivatePitch(canary)
  await createWithdrawnPitch(canary)
  await createTake(canary)
  await createCoachingRecords(canary)
}

async function createPrivatePitch(canary: CanaryWorkspace): Promise<void> {
  const { app, acme, word, users } = canary
  const { owner } = users
  const pitch = await createPractice(owner, { topic: word('practice topic'), title: word('practice title') })
  const content = Buffer.concat([mp4, freeBox(word('practice recording'))])
  const transcript = sentence(word('practice transcript'))
  await succeed(pitchFiles(app, acme).upload(owner, pitch.id, { content, transcript }))
  await succeed(owner.post(`${pitch.url}/evaluate`))
  await succeed(owner.post(`${pitch.url}/comments`, { body: word('practice comment') }))
  const taskId = newId()
  await acme.sql(
    `insert into platform.background_tasks (tenant_id, id, kind, title, state, created_by, created_via, finished_at, is_private, result)
     values ($1, $2, 'enablement.evaluate_recording', $3, 'succeeded', $4, 'user', now(), true, $5)`,
    [acme.id, taskId, word('practice task'), owner.userId, { submission_id: pitch.id }],
  )
  addIds(canary, { pitch_submission: pitch.id, pitch_recording: pitch.id, task: taskId, finished_task: taskId })
}

/** Practice with a review, which became private again. */
async function createWithdrawnPitch(canary: CanaryWorkspace): Promise<void> {
  const { word, users } = canary
  const transcript = sentence(word('withdrawn transcript'))
  const pitch = await createPractice(users.owner, { transcript, review_requested: true })
  const { criteria } = (await users.owner.get(pitch.url)).body
  const scores = criteria.map(({ key }: { key: string }) => ({ key, score: 70 }))
  await succeed(review(users.manager, pitch, { scores, comment: word('withdrawn review') }))
  await succeed(users.owner.patch(pitch.url, { review_requested: false }))
  addIds(canary, { pitch_submission: pitch.id })
}

async function createTake(canary: CanaryWorkspace): Promise<void> {
  const { acme, word, users } = canary
  const prompt = await createPrompt(acme)
  const take = { title: word('take title'), transcript: sentence(word('take transcript')) }
  const pitch = await submitTake(users.owner, prompt, take)
  await succeed(review(users.manager, pitch, { comment: word('take review') }))
  addIds(canary, { pitch_prompt: prompt.id, pitch_submission: pitch.id })
}

async function createCoachingRecords(canary: CanaryWorkspace): Promise<void> {
  const { acme, word, users } = canary
  const { owner, manager } = users
  const persona = {
    background: word('persona background'),
    facts: [{ key: 'tool', topic: 'tool', text: word('persona fact'), reveal_keywords: ['spreadsheet'] }],
    objections: [{ key: 'price', topic: 'price', text: word('persona objection'), triggers: ['discount'] }],
  }
  const keywords = { key: 'topics', name: 'Topics', weight: 100, kind: 'keywords' }
  const scenario = await createScenario(acme, {
    persona,
    buyer_context: word('scenario context'),
    rubric: [{ ...keywords, config: { groups: [[word('criterion keyword')]] } }],
  })
  const roleplay = await roleplayActions.start(owner, scenario, { is_private: true })
  await roleplayActions.send(owner, roleplay, sentence(word('private roleplay message')))
  await succeed(owner.post(`${roleplay.url}/finish`, { reflection: word('private roleplay reflection') }))
  const session = { rep_id: owner.userId, agenda: word('session agenda') }
  const { body } = await succeed(manager.post(`${scenario.url}/sessions`, session))
  const url = `${sessionsUrl}${body.id}`
  await succeed(manager.patch(url, { feedback: word('session feedback') }))
  await succeed(owner.patch(url, { rep_reflection: word('session reflection') }))
  addIds(canary, { coaching_persona: scenario.persona_id, coaching_scenario: scenario.id })
  addIds(canary, { coaching_roleplay: roleplay.id, coaching_session: body.id })
  addIds(canary, { coaching_session: roleplay.id })
}
