import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp, waitForValue } from '#testing'
import {
  type Acme,
  answer,
  createExpert,
  createRequest,
  expertsUrl,
  requestsUrl,
  signInAgain,
} from '../experts.fixture.ts'
import { advanceRequestsSchedule } from './requests.jobs.ts'

const app = await startTestApp()
const { tenant, clock, services, startTestWorker } = app
await startTestWorker()

const day = 86_400
const advance = () => runTenantSchedule(app, advanceRequestsSchedule(services))
const find = async (user: Acme['member'], id: string) =>
  (await user.get(`${requestsUrl}?limit=200`)).body.items.find((request: { id: string }) => request.id === id)
const list = async (user: Acme['member'], query = '') =>
  (await user.get(`${requestsUrl}${query}`)).body.items.map(({ id }: { id: string }) => id)
const notices = async (acme: Acme, kind: string) =>
  (await acme.sql('select user_id from platform.notifications where tenant_id = $1 and kind = $2', [acme.id, kind]))
    .rows

test('enablement-7-1 a request goes to the expert with the lowest load, then to the one assigned longest ago', async () => {
  const acme = await tenant()
  const [first, second] = [await createExpert(acme), await createExpert(acme)]
  const direct = await createRequest(acme.member, { expert_id: first.id })
  clock.advance(60)

  const routed = await createRequest(acme.member)
  clock.advance(60)
  const third = await createRequest(acme.member)

  assert.equal(direct.expert?.id, first.user.userId)
  assert.deepEqual([routed.status, routed.expert?.id], ['assigned', second.user.userId])
  assert.equal(third.expert?.id, first.user.userId)
  assert.equal((await notices(acme, 'expert_request.assigned')).length, 3)
})

test('enablement-7-2 without an available expert a request is open, and routed when an expert has room', async () => {
  const acme = await tenant()
  const busy = await createExpert(acme, { max_open: 1 })
  const away = await createExpert(acme, { out_until_on: '2199-12-31' })
  const taken = await createRequest(acme.member)
  const waiting = await createRequest(acme.member)

  assert.deepEqual([waiting.status, waiting.expert], ['open', null])
  const managers = (await notices(acme, 'expert_request.unassigned')).map(({ user_id }) => user_id)
  assert.deepEqual(managers.sort(), [acme.admin.userId, acme.manager.userId].sort())
  assert.equal((await answer(busy.user, taken)).status, 200)
  const routed = await waitForValue(
    () => find(acme.member, waiting.id),
    ({ status }) => status === 'assigned',
  )
  assert.equal(routed.expert.id, busy.user.userId)
  assert.equal((await acme.manager.patch(away.url, { out_until_on: null })).body.is_available, true)
})

test('enablement-7-2 the schedule routes an open request', async () => {
  const acme = await tenant()
  const waiting = await createRequest(acme.member)
  const expert = await createExpert(acme, { is_active: false })
  await acme.sql('update enablement.experts set is_active = true where id = $1', [expert.id])
  clock.advance(15 * 60)

  await advance()

  assert.equal((await find(acme.member, waiting.id)).expert.id, expert.user.userId)
})

test('enablement-7-3 two requests at the same time for one free place: one is assigned, one is open', async () => {
  const acme = await tenant()
  await createExpert(acme, { max_open: 1 })

  const requests = await Promise.all([createRequest(acme.member), createRequest(acme.manager)])

  assert.deepEqual(requests.map(({ status }) => status).sort(), ['assigned', 'open'])
})

test('enablement-7-4 a declined request goes to the next expert and never back', async () => {
  const acme = await tenant()
  const experts = [await createExpert(acme), await createExpert(acme)]
  const userOf = (request: { expert: { id: string } | null }) =>
    experts.find(({ user }) => user.userId === request.expert?.id)!.user
  const request = await createRequest(acme.member)
  const first = userOf(request)

  const withoutNote = await first.patch(request.url, { decline: true })
  const declined = await first.patch(request.url, { decline: true, note: 'Not my field' })
  const second = userOf(declined.body)
  await second.patch(request.url, { status: 'in_progress' })
  const all = await second.patch(request.url, { decline: true, note: 'Neither mine' })
  clock.advance(15 * 60)
  await advance()

  assert.deepEqual([withoutNote.status, withoutNote.body.errors[0].path], [422, '/note'])
  assert.notEqual(second.userId, first.userId)
  assert.deepEqual([all.body.status, all.body.expert, all.body.first_response_at], ['open', null, null])
  assert.equal((await find(acme.member, request.id)).status, 'open')
  const kinds = all.body.events.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(kinds, ['created', 'assigned', 'declined', 'assigned', 'accepted', 'declined', 'unassigned'])
  const again = await first.patch(request.url, { decline: true, note: 'Still not' })
  assert.deepEqual([again.status, again.body.code], [403, 'role_required'])
  const override = await acme.manager.patch(request.url, { expert_id: experts[0]!.id })
  assert.equal(override.body.status, 'assigned')
})

test('enablement-7-5 an answer needs a text and comes from the expert', async () => {
  const acme = await tenant()
  const { user: expert } = await createExpert(acme)
  const request = await createRequest(acme.member)

  const empty = await expert.patch(request.url, { status: 'answered' })
  const foreign = await acme.member.patch(request.url, { answer: 'Ten' })
  const foreignStatus = await acme.manager.patch(request.url, { status: 'answered', answer: 'Ten' })
  const early = await expert.patch(request.url, { answer: 'Ten' })
  const answered = await answer(expert, request)
  const corrected = await expert.patch(request.url, { answer: 'Twelve percent.' })

  assert.deepEqual([empty.status, empty.body.errors[0].path], [422, '/answer'])
  assert.deepEqual([foreign.status, foreign.body.code], [403, 'role_required'])
  assert.deepEqual([foreignStatus.status, early.status], [403, 422])
  assert.partialDeepStrictEqual(answered.body, { status: 'answered', answer: 'Ten percent.', rating: null })
  assert.equal(answered.body.first_response_at, answered.body.answered_at)
  assert.equal(corrected.body.answer, 'Twelve percent.')
  assert.equal((await notices(acme, 'expert_request.answered'))[0].user_id, acme.member.userId)
})

test('enablement-7-6 a rating needs an answer, is replaced by the next one, and is counted once', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme)
  let asker = acme.member
  const rate = async (request: { url: string }, fields: object) => {
    const { status, body } = await asker.patch(request.url, fields)
    return [status, body.code ?? body.rating]
  }
  const request = await createRequest(acme.member)
  const other = [await createRequest(acme.member), await createRequest(acme.member)]

  assert.deepEqual(await rate(request, { rating: 5 }), [409, 'rating_not_allowed'])
  for (const answered of [request, ...other]) await answer(expert.user, answered)
  assert.deepEqual(await rate(request, { rating: 6 }), [422, 'validation_failed'])
  assert.deepEqual(await rate(request, { rating_comment: 'Thanks' }), [422, 'validation_failed'])
  assert.deepEqual(await rate(request, { rating: 1 }), [200, 1])
  assert.deepEqual(await rate(request, { rating: 5, rating_comment: 'Thanks' }), [200, 5])
  assert.deepEqual(await rate(other[0]!, { rating: 5, status: 'closed' }), [200, 5])
  assert.deepEqual(await rate(other[1]!, { rating: 3 }), [200, 3])
  const byExpert = await expert.user.patch(request.url, { rating: 5 })
  const { rows } = await acme.sql('select rating_sum, rating_count from enablement.experts where id = $1', [expert.id])
  const { body } = await acme.member.get(expertsUrl)

  assert.equal(byExpert.status, 403)
  assert.deepEqual(rows, [{ rating_sum: 13, rating_count: 3 }])
  assert.partialDeepStrictEqual(body.items[0], {
    rating_average: 4.33,
    rating_count: 3,
    rank_score: 4.125,
    open_count: 0,
  })
  clock.advance(31 * day)
  asker = await signInAgain(acme, acme.member)
  assert.deepEqual(await rate(other[0]!, { rating: 1 }), [409, 'rating_not_allowed'])
})

test('a request whose expert is gone is reopened with another expert', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme)
  const request = await createRequest(acme.member)
  await answer(expert.user, request)
  assert.equal((await acme.manager.delete(expert.url)).status, 204)
  const history = await find(acme.member, request.id)
  const other = await createExpert(acme)

  const reopened = await acme.member.patch(request.url, { status: 'in_progress', note: 'More' })

  assert.deepEqual([history.expert_id, history.expert.id], [null, expert.user.userId])
  assert.deepEqual([reopened.body.status, reopened.body.expert.id], ['assigned', other.user.userId])
})

test('enablement-7-9 a request is listed for its requester, its experts and managers', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme)
  const colleague = await acme.person('member')
  const request = await createRequest(acme.member, { topic: 'pricing' })
  const other = await createRequest(colleague, { topic: 'security' })

  assert.deepEqual(await list(colleague, '?my_incoming=true'), [])
  assert.deepEqual(await list(expert.user, '?my_incoming=true'), [request.id])
  assert.deepEqual(await list(expert.user, '?my_requests=true'), [])
  assert.deepEqual(await list(acme.member), [request.id])
  assert.deepEqual(await list(colleague), [other.id])
  assert.deepEqual(await list(acme.manager), [request.id, other.id])
  assert.deepEqual(await list(acme.manager, '?status=open,closed'), [other.id])
  assert.deepEqual(await list(acme.manager, '?topic=pricing&status=assigned'), [request.id])
  assert.deepEqual(await list(acme.manager, '?my_requests=true'), [])
  const foreign = await colleague.patch(request.url, { status: 'cancelled' })
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found'])

  await expert.user.patch(request.url, { decline: true, note: 'No' })
  assert.deepEqual(await list(expert.user), [request.id])
  assert.deepEqual(await list(expert.user, '?my_incoming=true'), [])
  const first = await acme.manager.get(`${requestsUrl}?limit=1`)
  assert.deepEqual(await list(acme.manager, `?limit=1&cursor=${first.body.next_cursor}`), [other.id])
})

test('enablement-7-10 a direct request needs an active expert other than the requester', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme, { max_open: 1 })
  const inactive = await createExpert(acme, { is_active: false })
  const send = async (user: Acme['member'], fields: object) => {
    const { status, body } = await user.post(requestsUrl, { topic: 'pricing', subject: 'A', body: 'B', ...fields })
    return [status, body.errors?.[0].path ?? body.status]
  }

  assert.deepEqual(await send(expert.user, { expert_id: expert.id }), [422, '/expert_id'])
  assert.deepEqual(await send(acme.member, { expert_id: inactive.id }), [422, '/expert_id'])
  assert.deepEqual(await send(acme.member, { expert_id: newId() }), [422, '/expert_id'])
  assert.deepEqual(await send(acme.member, { account_id: newId() }), [422, '/account_id'])
  assert.deepEqual(await send(acme.member, { opportunity_id: newId() }), [422, '/opportunity_id'])
  assert.deepEqual(await send(acme.member, { content_item_ids: [newId()] }), [422, '/content_item_ids/0'])
  assert.deepEqual(await send(acme.member, { topic: 'Not a slug' }), [422, '/topic'])
  assert.deepEqual(await send(acme.member, { expert_id: expert.id }), [201, 'assigned'])
  assert.deepEqual(await send(acme.member, { expert_id: expert.id }), [201, 'assigned'])
})

test('enablement-7-12 a cancelled request cannot change', async () => {
  const acme = await tenant()
  const { user: expert } = await createExpert(acme)
  const request = await createRequest(acme.member)
  const cancelled = await acme.manager.patch(request.url, { status: 'cancelled' })

  const answered = await answer(expert, request)
  const declined = await expert.patch(request.url, { decline: true, note: 'No' })
  const priority = await acme.member.patch(request.url, { priority: 'low' })

  assert.equal(cancelled.body.status, 'cancelled')
  assert.partialDeepStrictEqual(answered.body, {
    status: 409,
    code: 'invalid_transition',
    allowed: [],
    from: 'cancelled',
  })
  assert.deepEqual([declined.status, priority.status], [409, 409])
})

test('requests of another workspace do not exist', async () => {
  const [acme, globex] = [await tenant(), await tenant()]
  const expert = await createExpert(acme)
  const request = await createRequest(acme.member)

  const patched = await globex.admin.patch(request.url, { status: 'cancelled' })
  const referred = await globex.admin.post(requestsUrl, {
    topic: 'pricing',
    subject: 'A',
    body: 'B',
    expert_id: expert.id,
  })

  assert.deepEqual([patched.status, referred.status], [404, 422])
  assert.deepEqual(await list(globex.admin), [])
  assert.equal((await acme.viewer.post(requestsUrl, {})).status, 403)
})
