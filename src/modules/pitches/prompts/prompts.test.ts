import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForValue } from '#testing'
import {
  type Acme,
  createPrompt,
  createTeam,
  promptCriteria,
  promptsUrl,
  review,
  submitTake,
} from '../pitches.fixture.ts'

const { tenant, startTestWorker } = await startTestApp()
await startTestWorker()

const list = async (user: Acme['member'], query = '') => (await user.get(`${promptsUrl}${query}`)).body.items
const find = async (user: Acme['member'], id: string) =>
  (await list(user)).find((prompt: { id: string }) => prompt.id === id)

test('a prompt has defaults, and sellers do not see the config of its criteria', async () => {
  const acme = await tenant()
  const { id } = await createPrompt(acme)

  const [author, seller] = [await find(acme.manager, id), await find(acme.member, id)]

  assert.partialDeepStrictEqual(author, {
    time_limit_seconds: 180,
    criteria_version: 1,
    passing_score: 70,
    max_takes: 5,
    min_reviews: 1,
    reviewer_ids: [],
    language: 'en',
    owner_id: acme.manager.userId,
    takes: 0,
    best_score: null,
    due_on: null,
    assignment_status: null,
  })
  assert.deepEqual(author.criteria[0].config, { groups: [['setup'], ['security']], avoid: [] })
  assert.deepEqual(seller.criteria[0], { key: 'topics', name: 'Topics', description: '', weight: 60, kind: 'keywords' })
})

test('drafts are listed for their owner, managers and admins', async () => {
  const acme = await tenant()
  const draft = await createPrompt(acme, { status: 'draft' })
  const archived = await createPrompt(acme, { status: 'archived' })
  await createPrompt(acme)
  const idsOf = async (user: Acme['member'], status: string) =>
    (await list(user, `?status=${status}`)).map(({ id }: { id: string }) => id)

  assert.deepEqual(await idsOf(acme.manager, 'draft'), [draft.id])
  assert.deepEqual(await idsOf(acme.member, 'draft'), [])
  assert.deepEqual(await idsOf(acme.viewer, 'archived'), [archived.id])
  await acme.admin.patch(draft.url, { owner_id: acme.member.userId })
  assert.deepEqual(await idsOf(acme.member, 'draft'), [draft.id])
})

test('a prompt follows its transitions, and changed criteria get a new version', async () => {
  const acme = await tenant()
  const { url } = await createPrompt(acme, { status: 'draft' })
  const set = async (fields: object) => {
    const { status, body } = await acme.manager.patch(url, fields)
    return [status, body.code ?? body.status]
  }

  assert.deepEqual(await set({ status: 'archived' }), [409, 'invalid_transition'])
  assert.deepEqual(await set({ status: 'active' }), [200, 'active'])
  assert.deepEqual(await set({ status: 'draft' }), [409, 'invalid_transition'])
  assert.deepEqual(await set({ status: 'archived' }), [200, 'archived'])
  assert.deepEqual(await set({ status: 'draft' }), [200, 'draft'])
  const same = await acme.manager.patch(url, { title: 'Pitch', criteria: promptCriteria })
  const changed = await acme.manager.patch(url, { criteria: promptCriteria.slice(1) })
  assert.deepEqual([same.body.criteria_version, changed.body.criteria_version], [1, 2])
  const stale = await acme.manager.patch(url, { title: 'Old' }, { 'if-match': '"1"' })
  assert.equal(stale.status, 412)
  assert.deepEqual(
    (await acme.events()).filter((type) => type.startsWith('pitch_prompt') && !type.endsWith('updated')),
    ['pitch_prompt.created', 'pitch_prompt.activated', 'pitch_prompt.archived'],
  )
})

test('assigned users and members of assigned teams are notified once the prompt is active', async () => {
  const acme = await tenant()
  const { seller, lead, teamId } = await createTeam(acme)
  await acme.admin.post(`/api/teams/${teamId}/members`, { user_id: acme.viewer.userId })
  const assign = { user_ids: [acme.member.userId], team_ids: [teamId], due_on: '2030-01-31' }
  const prompt = await createPrompt(acme, { status: 'draft', assign })
  const noticesOf = async (user: Acme['member']) =>
    ((await user.get('/api/auth/notifications')).body.items as { kind: string }[]).filter(
      ({ kind }) => kind === 'pitch.assigned',
    )

  await acme.manager.patch(prompt.url, { status: 'active' })
  await waitForValue(
    () => noticesOf(seller),
    (notices) => notices.length > 0,
  )
  await acme.manager.patch(prompt.url, { assign: { user_ids: [seller.userId] } })
  await acme.manager.patch(prompt.url, { assign: { user_ids: [acme.manager.userId] } })
  await waitForValue(
    () => noticesOf(acme.manager),
    (notices) => notices.length > 0,
  )

  for (const user of [seller, lead, acme.member]) {
    assert.equal((await noticesOf(user)).length, 1)
    const { due_on, assignment_status } = await find(user, prompt.id)
    assert.deepEqual([due_on, assignment_status], ['2030-01-31', 'open'])
  }
  assert.equal((await find(acme.viewer, prompt.id)).assignment_status, null)
  assert.equal((await find(acme.manager, prompt.id)).due_on, null)
})

test('a due date replaces that of existing assignments, and a user who has passed gets a completed assignment', async () => {
  const acme = await tenant()
  const prompt = await createPrompt(acme)
  const take = await submitTake(acme.member, prompt)
  assert.equal((await review(acme.manager, take)).status, 201)

  await acme.manager.patch(prompt.url, { assign: { user_ids: [acme.member.userId] } })
  const passed = await find(acme.member, prompt.id)
  await acme.manager.patch(prompt.url, { assign: { user_ids: [acme.member.userId], due_on: '2030-02-01' } })
  const { body } = await acme.member.get(take.url)

  assert.deepEqual([passed.assignment_status, passed.due_on, passed.takes, passed.best_score], ['done', null, 1, 84])
  assert.equal(body.due_on, '2030-02-01')
  assert.equal((await acme.member.get('/api/enablement/pitch/my-submissions')).body.assignments.length, 0)
})

test('a prompt with submissions is hidden when it is deleted, others are removed', async () => {
  const acme = await tenant()
  const [used, unused] = [await createPrompt(acme), await createPrompt(acme)]
  const take = await submitTake(acme.member, used)

  assert.equal((await acme.manager.delete(used.url)).status, 204)
  assert.equal((await acme.manager.delete(unused.url)).status, 204)
  assert.equal((await acme.manager.delete(used.url)).status, 404)
  assert.deepEqual(await list(acme.manager), [])
  assert.equal((await acme.member.get(take.url)).body.prompt.title, 'Elevator pitch')
  const { rows } = await acme.sql('select id from enablement.pitch_prompts where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [{ id: used.id }])
})

test('invalid prompts and unknown references are rejected', async () => {
  const acme = await tenant()
  const other = await tenant()
  const codeOf = async (fields: object) => {
    const { status, body } = await acme.manager.post(promptsUrl, { title: 'A', criteria: promptCriteria, ...fields })
    return [status, body.errors?.[0]?.path, body.errors?.[0]?.code]
  }
  const criterion = { key: 'a', name: 'A', weight: 1, kind: 'talk_ratio' }

  assert.deepEqual(await codeOf({ criteria: [criterion] }), [422, '/criteria/0/kind', 'enum'])
  assert.deepEqual(await codeOf({ criteria: [promptCriteria[1], promptCriteria[1]] }), [
    422,
    '/criteria/1/key',
    'duplicate_key',
  ])
  assert.deepEqual(await codeOf({ reviewer_ids: [newId()] }), [422, '/reviewer_ids/0', 'unknown_reference'])
  assert.deepEqual(await codeOf({ reviewer_ids: [acme.viewer.userId] }), [422, '/reviewer_ids/0', 'not_allowed'])
  assert.deepEqual(await codeOf({ reviewer_ids: [acme.member.userId], min_reviews: 2 }), [
    422,
    '/min_reviews',
    'maximum',
  ])
  assert.deepEqual(await codeOf({ assign: { user_ids: [other.member.userId] } }), [
    422,
    '/assign/user_ids/0',
    'unknown_reference',
  ])
  assert.deepEqual(await codeOf({ assign: { user_ids: [acme.viewer.userId] } }), [
    422,
    '/assign/user_ids/0',
    'not_allowed',
  ])
  assert.deepEqual(await codeOf({ assign: { team_ids: [newId()] } }), [422, '/assign/team_ids/0', 'unknown_reference'])
  for (const fields of [{ criteria: [] }, { title: '' }, { max_takes: 21 }, { retention_days: 6 }, { language: 'xx' }])
    assert.equal((await codeOf(fields))[0], 422)
  const { url } = await createPrompt(acme)
  const { status, body } = await acme.manager.patch(url, { exemplar_submission_id: newId() })
  assert.deepEqual([status, body.errors[0].code], [422, 'unknown_reference'])
})

test('members cannot change prompts of others, and other workspaces cannot see them', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { url, id } = await createPrompt(acme)
  const draft = await createPrompt(acme, { status: 'draft' })

  for (const user of [acme.member, acme.viewer]) {
    assert.equal((await user.post(promptsUrl, { title: 'A', criteria: promptCriteria })).status, 403)
    assert.equal((await user.patch(url, { title: 'B' })).status, 403)
    assert.equal((await user.delete(url)).status, 403)
  }
  assert.equal((await acme.member.patch(draft.url, { title: 'B' })).status, 404)
  assert.equal((await other.manager.patch(url, { title: 'B' })).status, 404)
  assert.equal((await other.manager.delete(url)).status, 404)
  assert.equal(await find(other.manager, id), undefined)
})
