import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp } from '#testing'
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
const setNow = (text: string) => {
  clock.freeze()
  clock.advance((new Date(text).getTime() - clock.now().getTime()) / 1_000)
}
const find = async (user: Acme['member'], id: string) =>
  (await user.get(`${requestsUrl}?limit=200`)).body.items.find((request: { id: string }) => request.id === id)
const list = async (user: Acme['member'], query = '') =>
  (await user.get(`${requestsUrl}${query}`)).body.items.map(({ id }: { id: string }) => id)
const notices = async (acme: Acme, kind: string) =>
  (await acme.sql('select user_id from platform.notifications where tenant_id = $1 and kind = $2', [acme.id, kind]))
    .rows

test('enablement-7-7 a request is reopened within seven days, and at most three times', async () => {
  const acme = await tenant()
  const expert = await createExpert(acme)
  let [asker, user] = [acme.member, expert.user]
  const signIn = async () => {
    asker = await signInAgain(acme, asker)
    user = await signInAgain(acme, user)
  }
  const request = await createRequest(asker)
  const reopen = async (note: string | undefined = 'More, please') => {
    const { status, body } = await asker.patch(request.url, { status: 'in_progress', note })
    return [status, body.code ?? body.status]
  }
  await answer(user, request)
  const withoutNote = await asker.patch(request.url, { status: 'in_progress' })
  assert.equal(withoutNote.status, 422)
  await asker.patch(request.url, { rating: 2 })
  clock.advance(7 * day - 60)
  await signIn()
  assert.deepEqual(await reopen(), [200, 'in_progress'])
  const { rows } = await acme.sql('select rating_count from enablement.experts where id = $1', [expert.id])
  assert.deepEqual(rows, [{ rating_count: 0 }])
  assert.deepEqual(await notices(acme, 'expert_request.reopened'), [{ user_id: user.userId }])
  assert.notEqual((await find(asker, request.id)).due_at, request.due_at)
  for (let count = 2; count <= 3; count++) {
    await answer(user, request)
    await asker.patch(request.url, { status: 'closed' })
    assert.deepEqual(await reopen(), [200, 'in_progress'])
  }
  await answer(user, request)
  assert.deepEqual(await reopen(), [409, 'reopen_not_allowed'])

  const late = await createRequest(asker)
  await answer(user, late)
  clock.advance(7 * day + 1)
  await signIn()
  const rejected = await asker.patch(late.url, { status: 'in_progress', note: 'More' })
  assert.deepEqual([rejected.status, rejected.body.code], [409, 'reopen_not_allowed'])
  await advance()
  const closed = await find(asker, late.id)
  assert.deepEqual([closed.status, closed.events.at(-1).actor], ['closed', null])
})

test('enablement-7-8 a missed response is recorded once, and a day later the request goes to another expert', async () => {
  setNow('2040-03-02T15:00:00Z')
  const acme = await tenant()
  const first = await createExpert(acme)
  const request = await createRequest(acme.member)
  const direct = await createRequest(acme.member, { expert_id: first.id })
  const second = await createExpert(acme)
  assert.equal(request.due_at, '2040-03-05T15:00:00.000Z')

  const readLater = async (id: string) => find(await signInAgain(acme, acme.member), id)

  setNow('2040-03-05T14:59:00Z')
  await advance()
  const early = await readLater(request.id)
  setNow('2040-03-05T15:00:00Z')
  await advance()
  await advance()
  const late = await readLater(request.id)
  setNow('2040-03-06T15:00:00Z')
  await advance()
  const rerouted = await readLater(request.id)

  assert.equal(early.sla_breached_at, null)
  assert.deepEqual([late.sla_breached_at, late.expert.id], ['2040-03-05T15:00:00.000Z', first.user.userId])
  assert.deepEqual([rerouted.status, rerouted.expert.id], ['assigned', second.user.userId])
  assert.equal((await readLater(direct.id)).expert.id, first.user.userId)
  const events = (await acme.events()).filter((type) => type === 'expert_request.sla_breached')
  assert.equal(events.length, 2)
  assert.equal((await notices(acme, 'expert_request.sla_breached')).length, 4)
  assert.deepEqual(
    (await list(await signInAgain(acme, acme.manager), '?breached=true')).sort(),
    [request.id, direct.id].sort(),
  )
  setNow('2040-03-07T15:00:00Z')
  await advance()
  assert.equal((await readLater(request.id)).expert.id, second.user.userId)
})

test('the priority moves the due time, two steps at once are rejected, and versions are compared', async () => {
  setNow('2041-03-04T12:00:00Z')
  const acme = await tenant()
  const { user: expert } = await createExpert(acme)
  const request = await createRequest(acme.member)

  const urgent = await acme.member.patch(request.url, { priority: 'urgent' })
  const both = await expert.patch(request.url, { status: 'in_progress', decline: true, note: 'No' })
  const stale = await expert.patch(request.url, { status: 'in_progress' }, { 'if-match': '"1"' })
  const byExpert = await expert.patch(request.url, { priority: 'low' })
  const lowered = await acme.manager.patch(request.url, { priority: 'low' })

  assert.equal(request.due_at, '2041-03-05T12:00:00.000Z')
  assert.equal(urgent.body.due_at, '2041-03-04T16:00:00.000Z')
  assert.equal(lowered.body.due_at, '2041-03-07T12:00:00.000Z')
  assert.deepEqual([both.status, stale.status, byExpert.status], [422, 412, 403])
})

test('a request that is declined after its first response starts a new clock, and the median counts from the assignment', async () => {
  setNow('2042-03-03T09:00:00Z')
  const acme = await tenant()
  const [one, other] = [await createExpert(acme), await createExpert(acme)]
  const request = await createRequest(acme.member, { priority: 'urgent' })
  const [first, second] = request.expert!.id === one.user.userId ? [one, other] : [other, one]
  const accepted = await first.user.patch(request.url, { status: 'in_progress' })
  setNow('2042-03-06T09:00:00Z')

  const declined = await (await signInAgain(acme, first.user)).patch(request.url, { decline: true, note: 'Away' })
  await advance()
  setNow('2042-03-06T09:01:00Z')
  const secondUser = await signInAgain(acme, second.user)
  await secondUser.patch(request.url, { status: 'in_progress' })

  assert.equal(accepted.body.first_response_at, '2042-03-03T09:00:00.000Z')
  assert.deepEqual(
    [declined.body.expert.id, declined.body.due_at, declined.body.first_response_at],
    [second.user.userId, '2042-03-06T13:00:00.000Z', null],
  )
  assert.equal((await find(secondUser, request.id)).sla_breached_at, null)
  const experts = (await secondUser.get(expertsUrl)).body.items
  assert.equal(experts.find(({ id }: { id: string }) => id === second.id).median_response_seconds, 60)
})

test('an accepted request without an answer reminds the expert when it is due, and a working day later the managers, once', async () => {
  setNow('2043-03-02T09:00:00Z')
  const acme = await tenant()
  const { user: expert } = await createExpert(acme)
  const request = await createRequest(acme.member, { priority: 'urgent' })
  await expert.patch(request.url, { status: 'in_progress' })
  const advanceAt = async (time: string) => {
    setNow(time)
    await advance()
    const [reminders, overdue] = [
      await notices(acme, 'expert_request.reminder'),
      await notices(acme, 'expert_request.overdue'),
    ]
    return [reminders.map(({ user_id }) => user_id), overdue.length]
  }
  const { version } = await find(expert, request.id)

  assert.deepEqual(await advanceAt('2043-03-02T12:59:00Z'), [[], 0])
  assert.deepEqual(await advanceAt('2043-03-02T13:00:00Z'), [[expert.userId], 0])
  assert.deepEqual(await advanceAt('2043-03-03T12:59:00Z'), [[expert.userId], 0])
  assert.deepEqual(await advanceAt('2043-03-03T13:00:00Z'), [[expert.userId], 2])
  assert.deepEqual(await advanceAt('2043-03-12T13:00:00Z'), [[expert.userId], 2])
  const after = await find(await signInAgain(acme, expert), request.id)
  assert.deepEqual([after.version, after.sla_breached_at, after.status], [version, null, 'in_progress'])
})

test('an open request without an expert keeps its version while the schedule looks for one', async () => {
  setNow('2044-03-01T09:00:00Z')
  const acme = await tenant()
  const request = await createRequest(acme.member)

  for (const time of ['09:15', '09:30', '09:45']) {
    setNow(`2044-03-01T${time}:00Z`)
    await advance()
  }
  const waiting = await find(await signInAgain(acme, acme.member), request.id)
  await createExpert({ ...acme, manager: await signInAgain(acme, acme.manager) })
  setNow('2044-03-01T10:00:00Z')
  await advance()

  assert.deepEqual([waiting.status, waiting.version], ['open', request.version])
  assert.equal((await find(await signInAgain(acme, acme.member), request.id)).status, 'assigned')
})
