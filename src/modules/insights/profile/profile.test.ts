import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { assignPath, createPath } from '../../learning/learning.fixture.ts'
import { createPrompt, createTeam, review, scoresOf, submitTake } from '../../pitches/pitches.fixture.ts'

const { tenant, clock } = await startTestApp()

test('a profile shows rooms to all users, and readiness, enrollments and the last pitch to the user and coaches', async () => {
  const acme = await tenant()
  const { lead, seller, colleague } = await createTeam(acme)
  const url = `/api/users/${seller.userId}/profile`
  const { body: room } = await seller.post('/api/enablement/rooms/', { name: 'Deal' })
  await seller.post(`/api/enablement/rooms/${room.id}/content`, { kind: 'text', title: 'Hello', body: 'Welcome' })
  await seller.patch(`/api/enablement/rooms/${room.id}`, { status: 'active' })
  await seller.post('/api/enablement/rooms/', { name: 'Draft' })
  const prompt = await createPrompt(acme, { assign: { user_ids: [seller.userId] } })
  await review(acme.manager, await submitTake(seller, prompt), { scores: scoresOf(80, 70) })
  const due = new Date(clock.now().getTime() - 2 * 86_400_000).toISOString().slice(0, 10)
  await assignPath(acme, seller, await createPath(acme), { due })
  await assignPath(acme, seller, await createPath(acme), { completed: 1 })
  await acme.sql(
    `insert into enablement.readiness_scores (tenant_id, user_id, score_tenths, level, coverage, components, gaps, computed_at, valid_until)
     values ($1, $2, 605, 'developing', 1, '{}', '[]', now(), 'infinity')`,
    [acme.id, seller.userId],
  )
  await acme.sql('delete from enablement.readiness_marks where tenant_id = $1', [acme.id])
  const enablementOf = async (user: typeof seller) => (await user.get(url)).body.enablement

  const shown = { readiness_score: 60.5, enrollments_open: 1, enrollments_overdue: 1, last_pitch_score: 76 }
  for (const user of [seller, lead, acme.manager]) assert.deepEqual(await enablementOf(user), shown)
  assert.equal(await enablementOf(colleague), null)
  assert.deepEqual((await colleague.get(url)).body.book.rooms, { active: 1 })
})
