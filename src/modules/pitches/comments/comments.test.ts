import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { type Acme, createPrompt, createTeam, submitTake } from '../pitches.fixture.ts'

const { tenant } = await startTestApp()

async function startReview() {
  const acme = await tenant()
  const team = await createTeam(acme)
  const prompt = await createPrompt(acme)
  const take = await submitTake(team.seller, prompt, { duration_seconds: 60 })
  const comment = (user: Acme['member'], fields: object, { url } = take) =>
    user.post(`${url}/comments`, { body: 'Text', ...fields })
  return { acme, ...team, prompt, take, comment }
}

test('enablement-6-9 comments are ordered on the timeline of the recording', async () => {
  const { lead, seller, acme, take, comment, prompt } = await startReview()

  const beyond = await comment(lead, { at_seconds: 500 })
  assert.deepEqual([beyond.status, beyond.body.errors[0].path], [422, '/at_seconds'])
  const general = await comment(lead, { body: 'Overall good' })
  const late = await comment(acme.manager, { body: 'Late', at_seconds: 59.5 })
  const early = await comment(lead, { body: 'Early', at_seconds: 12.5 })
  const reply = await comment(seller, { body: 'Thanks', parent_id: early.body.id })

  assert.deepEqual([early.status, early.body.at_seconds, early.body.author.id], [201, 12.5, lead.userId])
  assert.deepEqual([reply.body.at_seconds, reply.body.parent_id], [12.5, early.body.id])
  const { body } = await seller.get(take.url)
  assert.deepEqual(
    body.comments.map(({ id }: { id: string }) => id),
    [early, reply, late, general].map((response) => response.body.id),
  )
  const other = await submitTake(acme.member, prompt)
  const foreign = await comment(acme.manager, { parent_id: early.body.id }, other)
  assert.deepEqual([foreign.status, foreign.body.errors[0].code], [422, 'unknown_reference'])
  assert.equal((await comment(lead, { parent_id: newId() })).status, 422)
})

test('the author of a pitch and the author of an answered comment are notified', async () => {
  const { lead, seller, acme, comment } = await startReview()
  const countOf = async (user: Acme['member']) =>
    (await user.get('/api/auth/notifications')).body.items.filter(
      ({ kind }: { kind: string }) => kind === 'pitch.commented',
    ).length

  const first = await comment(lead, { at_seconds: 0 })
  assert.deepEqual([await countOf(seller), await countOf(lead)], [1, 0])
  await comment(acme.manager, { parent_id: first.body.id })
  assert.deepEqual([await countOf(seller), await countOf(lead), await countOf(acme.manager)], [2, 1, 0])
  await comment(seller, {})
  assert.deepEqual([await countOf(seller), await countOf(lead)], [2, 1])
})

test('only users who see the feedback comment, and invalid comments are rejected', async () => {
  const { acme, lead, colleague, comment } = await startReview()
  const other = await tenant()

  assert.equal((await comment(colleague, {})).status, 404)
  assert.equal((await comment(acme.viewer, {})).status, 403)
  assert.equal((await comment(other.admin, {})).status, 404)
  for (const fields of [{ body: '' }, { body: 'x'.repeat(2_001) }, { at_seconds: -1 }])
    assert.equal((await comment(lead, fields)).status, 422, JSON.stringify(fields).slice(0, 50))
})
