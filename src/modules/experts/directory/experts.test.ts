import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { dumpDatabase, startTestApp, waitUntil } from '#testing'
import { type Acme, answer, createExpert, createRequest, expertsUrl, requestsUrl } from '../experts.fixture.ts'

const { tenant, startTestWorker, clock, database } = await startTestApp()
await startTestWorker()

const list = async (user: Acme['member'], query = '') =>
  (await user.get(`${expertsUrl}${query}`)).body.items.map(({ id }: { id: string }) => id)
const find = async (user: Acme['member'], id: string) =>
  (await user.get(`${requestsUrl}?limit=200`)).body.items.find((request: { id: string }) => request.id === id)

test('an expert has defaults, is unique per user, and is added by managers', async () => {
  const acme = await tenant()
  const add = async (user: Acme['member'], fields: object) => {
    const { status, body } = await user.post(expertsUrl, { topics: ['pricing'], ...fields })
    return [status, body.code]
  }
  const created = await acme.manager.post(expertsUrl, { user_id: acme.member.userId, topics: ['pricing', 'security'] })

  assert.equal(created.status, 201, created.text)
  assert.partialDeepStrictEqual(created.body, {
    user: { id: acme.member.userId },
    timezone: 'UTC',
    max_open: 5,
    is_active: true,
    is_available: true,
    open_count: 0,
    rating_average: null,
    rank_score: 4,
    median_response_seconds: null,
  })
  assert.deepEqual(await add(acme.manager, { user_id: acme.member.userId }), [409, 'already_exists'])
  assert.deepEqual(await add(acme.manager, { user_id: acme.viewer.userId }), [422, 'validation_failed'])
  assert.deepEqual(await add(acme.manager, { user_id: newId() }), [422, 'unknown_reference'])
  assert.deepEqual(await add(acme.manager, { user_id: acme.admin.userId, topics: [] }), [422, 'validation_failed'])
  assert.deepEqual(await add(acme.manager, { user_id: acme.admin.userId, timezone: 'Mars' }), [
    422,
    'validation_failed',
  ])
  const member = await acme.person('member')
  assert.deepEqual(await add(member, { user_id: acme.admin.userId }), [403, 'role_required'])
  assert.deepEqual(await add(member, { user_id: member.userId }), [403, 'role_required'])
  await acme.admin.patch('/api/admin/settings', { enablement: { experts_self_register: true } })
  assert.deepEqual(await add(member, { user_id: member.userId }), [201, undefined])
})

test('the directory is filtered by topic, language and words, the best ratings first', async () => {
  const acme = await tenant()
  const [first, second] = [
    await createExpert(acme, { topics: ['pricing', 'legal'], languages: ['de'], headline: 'Discounts' }),
    await createExpert(acme),
  ]
  const inactive = await createExpert(acme, { is_active: false })
  const request = await createRequest(acme.member, { expert_id: second.id })
  clock.advance(120)
  await answer(second.user, request)
  await acme.member.patch(request.url, { rating: 5 })

  assert.deepEqual(await list(acme.viewer), [second.id, first.id])
  assert.deepEqual(await list(acme.viewer, '?topic=legal'), [first.id])
  assert.deepEqual(await list(acme.viewer, '?language=de'), [first.id])
  assert.deepEqual(await list(acme.viewer, '?search=discounts%20LEGAL'), [first.id])
  assert.deepEqual(await list(acme.viewer, '?active=false'), [inactive.id])
  const page = await acme.viewer.get(`${expertsUrl}?limit=1`)
  assert.deepEqual([page.body.total, page.body.items[0].median_response_seconds], [2, 120])
  assert.deepEqual(await list(acme.viewer, `?limit=1&cursor=${page.body.next_cursor}`), [first.id])
  assert.deepEqual(await list((await tenant()).admin), [])
})

test('an expert is changed by the user and managers, and its topics follow', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme)

  const foreign = await acme.member.patch(expert.url, { max_open: 2 })
  const own = await expert.user.patch(expert.url, { topics: ['security'], max_open: 2 })
  const fixed = await acme.manager.patch(expert.url, { user_id: acme.member.userId })
  const removed = await expert.user.delete(expert.url)

  assert.deepEqual([foreign.status, own.status, fixed.status, removed.status], [403, 200, 422, 403])
  assert.deepEqual(await list(acme.member, '?topic=pricing'), [])
  assert.deepEqual(await list(acme.member, '?topic=security'), [expert.id])
  assert.equal((await createRequest(acme.member)).status, 'open')
})

test('an inactive expert keeps accepted requests, and the others go to other experts', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme)
  const accepted = await createRequest(acme.member)
  await expert.user.patch(accepted.url, { status: 'in_progress' })
  const assigned = await createRequest(acme.member)
  const other = await createExpert(acme)

  await expert.user.patch(expert.url, { is_active: false })

  assert.equal((await find(acme.member, accepted.id)).expert.id, expert.user.userId)
  assert.equal((await find(acme.member, assigned.id)).expert.id, other.user.userId)
})

test('enablement-7-11 the requests of a deleted expert go to others, and the audit log shows it', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme)
  const requests = [await createRequest(acme.member), await createRequest(acme.member)]
  const other = await createExpert(acme)

  const removed = await acme.manager.delete(expert.url)

  assert.equal(removed.status, 204)
  for (const { id } of requests) {
    const request = await find(acme.member, id)
    assert.deepEqual([request.status, request.expert.id], ['assigned', other.user.userId])
    const { rows } = await acme.sql(
      `select changes from platform.audit_log where resource_id = $1 and action = 'expert_request.assigned' order by id`,
      [id],
    )
    assert.ok(JSON.stringify(rows.at(-1).changes).includes(other.user.userId))
  }
  assert.equal((await acme.manager.delete(expert.url)).status, 404)
})

test('a deactivated user is no longer an active expert, and all requests go to others', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme)
  const request = await createRequest(acme.member)
  await expert.user.patch(request.url, { status: 'in_progress' })
  const other = await createExpert(acme)

  await acme.admin.patch(`/api/users/${expert.user.userId}`, { status: 'deactivated' })

  await waitUntil(async () => (await find(acme.member, request.id)).expert.id === other.user.userId)
  assert.deepEqual(await list(acme.member, '?active=false'), [expert.id])
})

test('an expert who becomes a viewer gets no requests, and gives the present ones to others', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme)
  const request = await createRequest(acme.member)
  const other = await createExpert(acme, { max_open: 1 })

  const changed = await acme.admin.patch(`/api/users/${expert.user.userId}`, { role: 'viewer' })
  const next = await acme.member.post(requestsUrl, {
    topic: 'pricing',
    subject: 'A',
    body: 'B',
    expert_id: expert.id,
  })

  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([next.status, next.body.errors[0].path], [422, '/expert_id'])
  await waitUntil(async () => (await find(acme.member, request.id)).expert.id === other.user.userId)
  assert.deepEqual(await list(acme.member, '?active=false'), [expert.id])
  assert.equal((await createRequest(acme.member)).status, 'open')
})

test('an erased user leaves the directory and the texts of own requests, and ratings are counted again', async () => {
  const acme = await tenant()
  const [asker, expert] = [await acme.person('member'), await createExpert(acme)]
  const own = await createExpert(acme, { bio: 'Xyloquartz of pricing' })
  const request = await createRequest(asker, { body: 'Xyloquartz asks', expert_id: expert.id })
  await answer(expert.user, request)
  await asker.patch(request.url, { rating: 5, rating_comment: 'Xyloquartz thanks' })
  for (const { userId } of [asker, own.user]) {
    await acme.admin.patch(`/api/users/${userId}`, { status: 'deactivated' })
    assert.equal((await acme.admin.delete(`/api/users/${userId}`)).status, 204)
  }

  await waitUntil(async () => {
    const { rows } = await acme.sql('select from enablement.expert_requests where tenant_id = $1', [acme.id])
    const experts = await acme.sql('select from enablement.experts where tenant_id = $1', [acme.id])
    return rows.length === 0 && experts.rows.length === 1
  })
  const { rows } = await acme.sql('select rating_sum, rating_count from enablement.experts where id = $1', [expert.id])
  assert.deepEqual(rows, [{ rating_sum: 0, rating_count: 0 }])
  const left = dumpDatabase(database.ownerUrl)
    .split('\n')
    .filter((line) => line.includes('Xyloquartz') && line.includes(acme.id))
  assert.deepEqual(left.filter((line) => !line.includes('audit')).slice(0, 2), [])
})
