import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import { answer, createExpert, createRequest, requestsUrl } from '../experts.fixture.ts'

const { tenant, services } = await startTestApp()
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
