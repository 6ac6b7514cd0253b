import assert from 'node:assert/strict'
import { createRequest, expertsUrl } from '../../../src/modules/experts/experts.fixture.ts'
import { complete, createPath, enroll } from '../../../src/modules/learning/learning.fixture.ts'
import { createItem, publishItem } from '../../../src/modules/library/content/content.fixture.ts'
import { partEnd, partHead } from '../../../src/platform/files/files.fixture.ts'
import { addIds, type CanaryWorkspace, succeed } from '../canary-workspace.ts'

/** Learning, content and requests of which only authors, the team of the owner or the expert may know. */
export async function createEnablementRecords(canary: CanaryWorkspace): Promise<void> {
  await createLearning(canary)
  await createContent(canary)
  await createExpertRequest(canary)
}

async function createLearning(canary: CanaryWorkspace): Promise<void> {
  const { acme, word, users, teamId } = canary
  const question = { kind: 'short_text', text: 'Which plan?', accepted: [word('quiz answer')] }
  const quiz = { questions: [{ ...question, explanation: word('quiz explanation') }], review: 'none' }
  const assignment = { kind: 'assignment', assignment: { instructions: 'Write a plan.' } }
  const path = await createPath(acme, {
    title: word('team path title'),
    audience_team_ids: [teamId],
    ordering: 'free',
    modules: [{ kind: 'quiz', quiz }, assignment],
  })
  const enrollment = await enroll(users.owner, path)
  const submission = { submission: { text: word('assignment text') } }
  await succeed(complete(users.owner, enrollment, path.modules[1]!, submission))
  const draft = await createPath(acme, {
    title: word('draft path title'),
    modules: [{ kind: 'content', body: word('draft module body') }],
    status: 'draft',
  })
  addIds(canary, { learning_path: path.id, learning_enrollment: enrollment.id })
  addIds(canary, { learning_path: draft.id })
}

async function createContent(canary: CanaryWorkspace): Promise<void> {
  const { acme, word, users, teamId } = canary
  const draft = { title: word('draft content title'), body: word('draft content body') }
  const { id: draftId } = await createItem(users.owner, draft)
  const team = { title: word('team content title'), body: word('team content body'), audience_team_ids: [teamId] }
  const { id: teamItemId } = await createItem(users.manager, team)
  await uploadText(canary, teamItemId, word('team content file'))
  await publishItem(acme, teamItemId)
  const collection = { name: word('team collection name'), audience_team_ids: [teamId], item_ids: [teamItemId] }
  const { body } = await succeed(users.manager.post('/api/enablement/collections/', collection))
  addIds(canary, { content_item: draftId, published_content_item: draftId, collection: body.id })
  addIds(canary, { content_item: teamItemId, published_content_item: teamItemId, content_file: 'guide.txt' })
}

async function uploadText({ app, acme, users }: CanaryWorkspace, itemId: string, text: string): Promise<void> {
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const { statusCode, body } = await app.app.inject({
    method: 'POST',
    url: `/api/enablement/content/${itemId}/upload`,
    headers: { host: acme.host, authorization: `Bearer ${users.manager.accessToken}`, ...form },
    payload: Buffer.concat([partHead('guide.txt', 'text/plain'), Buffer.from(text), partEnd]),
  })
  assert.equal(statusCode, 201, body)
}

async function createExpertRequest(canary: CanaryWorkspace): Promise<void> {
  const { word, users } = canary
  await succeed(users.manager.post(expertsUrl, { user_id: users.lead.userId, topics: ['pricing'] }))
  const input = { subject: word('request subject'), body: word('request body') }
  const request = await createRequest(users.owner, input)
  await succeed(users.lead.patch(request.url, { status: 'answered', answer: word('request answer') }))
}
