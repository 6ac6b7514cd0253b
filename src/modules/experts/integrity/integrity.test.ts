import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import { answer, createExpert, createRequest, requestsUrl } from '../experts.fixture.ts'

const { tenant, services, clock } = await startTestApp()
const { find, assertRepairs } = createIntegrityRunner(services)
const [acme, other] = [await tenant(), await tenant()]

test('ratings that differ from the requests are reported and counted again', async () => {
  const expert = await createExpert(acme)
  const request = await createRequest(acme.member)
  await answer(expert.user, request)
  await acme.member.patch(request.url, { rating: 4 })
  assert.deepEqual(await find(acme.id, 'expert_rating_wrong'), [])
  await acme.sql('update enablement.experts set rating_sum = 9, rating_count = 2 where id = $1', [expert.id])

  assert.deepEqual(await find(other.id, 'expert_rating_wrong'), [])
  await assertRepairs(acme.id, 'expert_rating_wrong', [expert.id])

  const { rows } = await acme.sql('select rating_sum, rating_count from enablement.experts where id = $1', [expert.id])
  assert.deepEqual(rows, [{ rating_sum: 4, rating_count: 1 }])
})

test('a request that waits for an inactive expert is reported and given to another one', async () => {
  const [first, second] = [
    await createExpert(acme, { topics: ['legal'] }),
    await createExpert(acme, { topics: ['legal'] }),
  ]
  const request = await createRequest(acme.member, { topic: 'legal', expert_id: first.id })
  const accepted = await createRequest(acme.member, { topic: 'legal', expert_id: first.id })
  await first.user.patch(accepted.url, { status: 'in_progress' })
  assert.deepEqual(await find(acme.id, 'expert_request_inactive_expert'), [])
  await acme.sql('update enablement.experts set is_active = false where id = $1', [first.id])

  await assertRepairs(acme.id, 'expert_request_inactive_expert', [request.id])

  const { body } = await acme.member.get(`${requestsUrl}?topic=legal&status=assigned`)
  assert.deepEqual(
    body.items.map(({ expert }: { expert: { id: string } }) => expert.id),
    [second.user.userId],
  )
})

test('topics that differ from the profile are reported and written again', async () => {
  const expert = await createExpert(acme, { topics: ['tax', 'audits'] })
  await acme.sql(`delete from enablement.expert_topics where expert_id = $1 and topic = 'tax'`, [expert.id])

  await assertRepairs(acme.id, 'expert_topics_wrong', [expert.id])

  assert.equal((await createRequest(acme.member, { topic: 'tax' })).expert?.id, expert.user.userId)
})

test('a request that is never checked is reported and checked again', async () => {
  const [open, accepted, kept] = [
    await createRequest(acme.member, { topic: 'unknown' }),
    await createRequest(acme.member, { topic: 'unknown' }),
    await createRequest(acme.member, { topic: 'unknown' }),
  ]
  const unscheduled = [open.id, accepted.id]
  await acme.sql('update enablement.expert_requests set next_check_at = null where id = any ($1)', [unscheduled])
  await acme.sql(`update enablement.expert_requests set status = 'in_progress' where id = $1`, [accepted.id])

  await assertRepairs(acme.id, 'expert_request_unscheduled', unscheduled)

  const { rows } = await acme.sql(
    'select next_check_at <= $2 as is_due from enablement.expert_requests where id = any ($1) order by id',
    [[...unscheduled, kept.id], clock.now()],
  )
  assert.deepEqual(rows, [{ is_due: true }, { is_due: true }, { is_due: false }])
})

test('a level that differs from its score is reported and corrected', async () => {
  const { userId } = acme.member
  await acme.sql(
    `insert into enablement.readiness_scores (tenant_id, user_id, score_tenths, level, coverage, components, gaps, computed_at)
     values ($1, $2, 800, 'ready', 1, '{}', '[]', now())
     on conflict on constraint readiness_scores_pkey do update set score_tenths = 800, level = 'ready'`,
    [acme.id, userId],
  )
  assert.deepEqual(await find(acme.id, 'readiness_level_wrong'), [])
  await acme.sql(`update enablement.readiness_scores set level = 'at_risk' where user_id = $1`, [userId])

  await assertRepairs(acme.id, 'readiness_level_wrong', [userId])

  const { rows } = await acme.sql('select level from enablement.readiness_scores where user_id = $1', [userId])
  assert.deepEqual(rows, [{ level: 'ready' }])
})
