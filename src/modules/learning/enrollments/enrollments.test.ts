import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp, waitForValue } from '#testing'
import { createTeam } from '../../pitches/pitches.fixture.ts'
import {
  type Acme,
  complete,
  createPath,
  enroll,
  learningUrl,
  moduleOf,
  reviewOf,
  textModule,
} from '../learning.fixture.ts'
import { sendLearningRemindersSchedule } from './reminders.jobs.ts'
import { renewCertificatesSchedule } from './renew-certificates.jobs.ts'

const app = await startTestApp()
const { tenant, clock, services, startTestWorker } = app
await startTestWorker()
const day = 86_400

const later = async (acme: Acme, seconds: number) => {
  clock.advance(seconds)
  const renew = async (user: Acme['member']) => ({ ...user, ...(await acme.signIn(user.userId)) })
  return { ...acme, member: await renew(acme.member), manager: await renew(acme.manager) }
}
const noticesOf = async (user: Acme['member'], kind: string) =>
  ((await user.get('/api/auth/notifications')).body.items as { kind: string; title: string }[]).filter(
    (notice) => notice.kind === kind,
  )

test('enablement-5-10 a team is enrolled once, without inactive members', async () => {
  const acme = await tenant()
  const { seller, colleague, lead, teamId } = await createTeam(acme)
  const path = await createPath(acme)
  const own = await enroll(seller, path)
  await acme.admin.patch(`/api/users/${colleague.userId}`, { status: 'deactivated' })

  const first = await acme.manager.post(`${path.url}/enroll`, { team_ids: [teamId] })
  const again = await acme.manager.post(`${path.url}/enroll`, { team_ids: [teamId] })

  assert.deepEqual(
    first.body.enrolled.map(({ user_id }: { user_id: string }) => user_id),
    [lead.userId],
  )
  assert.deepEqual(first.body.already, [{ user_id: seller.userId, enrollment_id: own.id }])
  assert.deepEqual(first.body.skipped, [{ user_id: colleague.userId, reason: 'inactive' }])
  assert.deepEqual([again.body.enrolled.length, again.body.already.length], [0, 2])
  await waitForValue(
    () => noticesOf(lead, 'learning.enrolled'),
    (notices) => notices.length === 1,
  )
  assert.deepEqual(await noticesOf(seller, 'learning.enrolled'), [])
})

test('enablement-5-11 enrollments need a published path, the right to enroll, known users and a day to come', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { lead, seller, teamId } = await createTeam(acme)
  const [draft, path] = [await createPath(acme, { status: 'draft' }), await createPath(acme)]
  const to = async (user: Acme['member'], { url }: { url: string }, body: object) => {
    const { status, body: response } = await user.post(`${url}/enroll`, body)
    return [status, response.code]
  }
  const colleague = { user_ids: [acme.manager.userId] }

  assert.deepEqual(await to(acme.manager, draft, {}), [409, 'path_not_published'])
  assert.deepEqual(await to(acme.member, draft, {}), [404, 'not_found'])
  assert.deepEqual(await to(acme.member, path, colleague), [403, 'role_required'])
  assert.deepEqual(await to(acme.manager, path, { user_ids: [other.member.userId] }), [422, 'unknown_reference'])
  assert.deepEqual(await to(acme.manager, path, { team_ids: [newId()] }), [422, 'unknown_reference'])
  const yesterday = daysLater(clock.now(), -1).toISOString().slice(0, 10)
  assert.deepEqual(await to(acme.member, path, { due_on: yesterday }), [422, 'validation_failed'])
  assert.deepEqual(await to(lead, path, colleague), [403, 'role_required'])
  assert.deepEqual(await to(lead, path, { team_ids: [teamId] }), [200, undefined])
  assert.deepEqual(await to(lead, path, { user_ids: [seller.userId] }), [200, undefined])
  const closed = await createPath(acme, { self_enroll: false })
  assert.deepEqual(await to(acme.member, closed, {}), [403, 'role_required'])
  assert.deepEqual(await to(other.member, path, {}), [404, 'not_found'])
})

test('the due date follows from the path, and reminders are sent once per step', async () => {
  clock.freeze()
  const dueOn = daysLater(clock.now(), 7).toISOString().slice(0, 10)
  const acme = await tenant()
  const path = await createPath(acme, { due_in_days: 7 })
  const enrollment = await enroll(acme.member, path)
  const remind = () => runTenantSchedule(app, sendLearningRemindersSchedule(services))
  const { due_on } = (await acme.member.get(enrollment.url)).body

  await remind()
  await remind()
  const soon = (await noticesOf(acme.member, 'learning.due')).length
  let now = await later(acme, 8 * day)
  await remind()
  now = await later(now, 6 * day)
  await remind()
  const notices = await noticesOf(now.member, 'learning.due')
  const { body } = await now.member.get(enrollment.url)
  clock.reset()

  assert.equal(due_on, dueOn)
  assert.deepEqual([soon, notices.length], [1, 3])
  assert.match(notices[0]!.title, /^Overdue/)
  assert.equal(body.is_overdue, true)
})

test('enablement-5-13 a certificate starts a new cycle before it expires, and then is no longer valid', async () => {
  const acme = await tenant()
  const certificate = { enabled: true, valid_days: 60, recertify: true, recertify_lead_days: 30 }
  const path = await createPath(acme, { certificate })
  const enrollment = await enroll(acme.member, path)
  const { body } = await complete(acme.member, enrollment, path.modules[0]!)
  const { code } = body.certificate
  const renew = () => runTenantSchedule(app, renewCertificatesSchedule(services))
  const cyclesOf = async ({ member }: Pick<Acme, 'member'>) =>
    (await member.get(`${learningUrl}my-enrollments`)).body.items.map(
      ({ cycle, source, status }: Record<string, unknown>) => `${cycle} ${source} ${status}`,
    )

  let now = await later(acme, 29 * day)
  await renew()
  const before = await cyclesOf(now)
  now = await later(now, 1.1 * day)
  await renew()
  await renew()
  const renewed = await cyclesOf(now)
  const valid = await now.manager.get(`${learningUrl}certificates/${code.toLowerCase()}`)
  now = await later(now, 30 * day)
  await renew()
  await renew()
  const expired = await now.manager.get(`${learningUrl}certificates/${code}`)
  const anonymous = await acme.anonymous.get(`${learningUrl}certificates/${code}`)
  const unknown = await now.manager.get(`${learningUrl}certificates/0000-0000-0001`)
  const events = (await acme.events()).filter((type) => type === 'certificate.expired')
  clock.reset()

  assert.deepEqual(before, ['1 self completed'])
  assert.deepEqual(renewed, ['2 recertify not_started', '1 self completed'])
  assert.deepEqual([valid.body.valid, valid.body.holder_name], [true, acme.member.name])
  assert.deepEqual([expired.body.valid, expired.body.status], [false, 'expired'])
  assert.equal(anonymous.status, 401)
  assert.equal(unknown.status, 404)
  assert.deepEqual(events, ['certificate.expired'])
})

test('a lapsed or revoked certificate allows another cycle, a valid one does not', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { certificate: { enabled: true } })
  const enrollment = await enroll(acme.member, path)
  const { body } = await complete(acme.member, enrollment, path.modules[0]!)
  const url = `${learningUrl}certificates/${body.certificate.code}`

  const again = await acme.member.post(`${path.url}/enroll`, {})
  const revoked = await acme.manager.post(`${url}/revoke`, { reason: 'The quiz was shared.' })
  const twice = await acme.manager.post(`${url}/revoke`, { reason: 'Again.' })
  const next = await acme.member.post(`${path.url}/enroll`, {})

  assert.deepEqual([again.body.enrolled.length, again.body.already.length], [0, 1])
  assert.deepEqual([revoked.body.status, twice.body.code], ['revoked', 'invalid_transition'])
  assert.equal(next.body.enrolled.length, 1)
  assert.equal((await acme.member.post(`${url}/revoke`, { reason: 'Mine.' })).status, 403)
  assert.equal((await acme.member.get(enrollment.url)).body.certificate.status, 'revoked')
})

test('coaches waive modules, change due dates and withdraw; learners withdraw what is not mandatory', async () => {
  const acme = await tenant()
  const { lead, seller, colleague, teamId } = await createTeam(acme)
  const path = await createPath(acme, { modules: [textModule, textModule] })
  const own = await enroll(colleague, path)
  await acme.manager.post(`${path.url}/enroll`, { team_ids: [teamId] })
  const { body: mandatory } = await seller.get(`${learningUrl}my-enrollments`)
  const url = `${learningUrl}enrollments/${mandatory.items[0].id}`

  assert.equal((await colleague.get(url)).status, 404)
  assert.equal((await seller.patch(url, { status: 'withdrawn' })).status, 403)
  assert.equal((await seller.patch(url, { due_on: '2199-01-01' })).status, 403)
  assert.equal((await lead.patch(url, { due_on: '2020-01-01' })).status, 422)
  const changed = await lead.patch(url, { due_on: '2199-01-01' }, { 'if-match': '"1"' })
  assert.deepEqual([changed.status, changed.body.due_on], [200, '2199-01-01'])
  assert.equal((await lead.patch(url, { due_on: null }, { 'if-match': '"1"' })).status, 412)
  const waived = await reviewOf(lead, { url }, path.modules[0]!, { decision: 'waive' })
  assert.deepEqual([waived.body.progress_rate, moduleOf(waived.body, path.modules[0]!).state], [0.5, 'waived'])
  const completed = await complete(seller, { url }, path.modules[1]!)
  assert.equal(completed.body.status, 'completed')
  assert.deepEqual((await lead.patch(url, { status: 'withdrawn' })).body.code, 'invalid_transition')
  assert.equal((await colleague.patch(own.url, { status: 'withdrawn' })).body.status, 'withdrawn')
  assert.equal((await enroll(colleague, path)).id === own.id, false)
})

test('teams of a path are enrolled when it is published, when users join, and once only', async () => {
  const acme = await tenant()
  const { lead, seller, colleague, teamId } = await createTeam(acme)
  const path = await createPath(acme, { auto_enroll_team_ids: [teamId] })
  const enrolled = async (count: number) =>
    (
      await waitForValue(
        () => acme.manager.get(`${path.url}/enrollments`),
        ({ body }) => body.items.length === count,
      )
    ).body.items as { user: { id: string }; source: string; is_mandatory: boolean; id: string }[]

  const first = await enrolled(3)
  const withdrawn = first.find(({ user }) => user.id === colleague.userId)!
  await lead.patch(`${learningUrl}enrollments/${withdrawn.id}`, { status: 'withdrawn' })
  await acme.manager.patch(path.url, { title: 'Renamed' })
  await acme.admin.post(`/api/teams/${teamId}/members`, { user_id: acme.member.userId })
  const second = await enrolled(4)

  assert.deepEqual([...new Set(first.map(({ source, is_mandatory }) => `${source} ${is_mandatory}`))], ['team true'])
  assert.ok(second.some(({ user }) => user.id === acme.member.userId))
  const led = await lead.get(`${path.url}/enrollments`)
  assert.ok(!led.body.items.some(({ user }: { user: { id: string } }) => user.id === lead.userId))
  assert.equal(led.body.items.length, 3)
  assert.equal((await seller.get(`${path.url}/enrollments`)).status, 403)
  const { body } = await acme.manager.get(`${path.url}/enrollments?team_id=${teamId}&status=withdrawn&sort=due_on`)
  assert.deepEqual([body.items.length, body.summary.total, body.summary.completion_rate], [1, 3, 0])
})
