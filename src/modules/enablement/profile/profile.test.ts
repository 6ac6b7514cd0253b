import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createPrompt, createTeam, review, scoresOf, submitTake } from '../pitch.fixture.ts'

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
  const pathId = newId()
  await acme.sql(
    `insert into enablement.learning_paths (tenant_id, id, title, type, status, certificate) values ($1, $2, 'Basics', 'skills', 'published', '{}')`,
    [acme.id, pathId],
  )
  const yesterday = new Date(clock.now().getTime() - 2 * 86_400_000).toISOString().slice(0, 10)
  await acme.sql(
    `insert into enablement.learning_enrollments (tenant_id, id, path_id, user_id, source, is_mandatory, due_on) values ($1, $2, $3, $4, 'assigned', true, $5)`,
    [acme.id, newId(), pathId, seller.userId, yesterday],
  )
  await acme.sql(
    `insert into enablement.readiness_scores (tenant_id, user_id, score_tenths, level, coverage, components, gaps, computed_at)
     values ($1, $2, 605, 'developing', 1, '{}', '[]', now())`,
    [acme.id, seller.userId],
  )
  const enablementOf = async (user: typeof seller) => (await user.get(url)).body.enablement

  const shown = { readiness_score: 60.5, enrollments_open: 1, enrollments_overdue: 1, last_pitch_score: 76 }
  for (const user of [seller, lead, acme.manager]) assert.deepEqual(await enablementOf(user), shown)
  assert.equal(await enablementOf(colleague), null)
  assert.deepEqual((await colleague.get(url)).body.book.rooms, { active: 1 })
})
