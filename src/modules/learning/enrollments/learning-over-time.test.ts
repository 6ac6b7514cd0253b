// What learners have achieved, while content, paths, certificates and the users themselves change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp } from '#testing'
import { createCode } from '../certificates/certificates.rules.ts'
import { currentCycles } from '../cycles/current-cycles.queries.ts'
import {
  type Acme,
  complete,
  createPath,
  enroll,
  learningUrl,
  moduleOf,
  publishVideo,
  readContent,
} from '../learning.fixture.ts'
import { renewCertificatesSchedule } from './renew-certificates.jobs.ts'

const app = await startTestApp()
const { tenant, clock, services } = app
clock.freeze()
const day = 86_400

const renew = () => runTenantSchedule(app, renewCertificatesSchedule(services))
/** Lets time pass. Access tokens are valid for minutes, so the users sign in again. */
async function wait(acme: Acme, days: number): Promise<void> {
  clock.advance(days * day)
  for (const user of [acme.member, acme.manager, acme.admin]) Object.assign(user, await acme.signIn(user.userId))
}
const certificate = { enabled: true, valid_days: 60, recertify: true, recertify_lead_days: 30 }
const assign = (acme: Acme, path: { url: string }) =>
  acme.manager.post(`${path.url}/enroll`, { user_ids: [acme.member.userId] })
type Cycle = { id: string; cycle: number; source: string; status: string; due_on: string | null }
const cyclesOf = async ({ member }: Acme): Promise<Cycle[]> =>
  (await member.get(`${learningUrl}my-enrollments`)).body.items.toSorted(
    (one: Cycle, other: Cycle) => one.cycle - other.cycle,
  )
const completeCycle = async (acme: Acme, path: { modules: { id: string }[] }) => {
  const { id } = (await cyclesOf(acme)).at(-1)!
  const done = await complete(acme.member, { url: `${learningUrl}enrollments/${id}` }, path.modules[0]!)
  assert.equal(done.body.status, 'completed')
}

test('a video is completed by playing it, in one or several views, and not by reporting its end', async () => {
  const acme = await tenant()
  const { member } = acme
  const film = await publishVideo(acme, 100)
  const path = await createPath(acme, { modules: [{ kind: 'video', content_item_id: film }] })
  const video = path.modules[0]!
  const enrollment = await enroll(member, path)

  await readContent(member, clock, film, { seconds: 5, progress: 1 })
  const jumped = await complete(member, enrollment, video)
  await readContent(member, clock, film, { seconds: 30, progress: 0.6 })
  clock.advance(31 * 60)
  const later = { ...member, ...(await acme.signIn(member.userId)) }
  await readContent(later, clock, film, { seconds: 20, progress: 1 })
  const watched = await complete(later, enrollment, video)

  const { code, needed, seen, needed_progress, seen_progress } = jumped.body
  assert.deepEqual([jumped.status, code], [409, 'minimum_not_met'])
  assert.deepEqual(
    { needed, seen, needed_progress, seen_progress },
    { needed: 50, seen: 5, needed_progress: 0.9, seen_progress: 0.1 },
  )
  assert.deepEqual([watched.status, watched.body.status], [200, 'completed'])
  assert.equal(moduleOf(watched.body, video).seen_progress, 1)
})

test('a new version of a video begins a new view, needs its own duration, and leaves completed modules alone', async () => {
  const acme = await tenant()
  const { member, manager } = acme
  const film = await publishVideo(acme, 1_000)
  const path = await createPath(acme, { modules: [{ kind: 'video', content_item_id: film }] })
  const video = path.modules[0]!
  const [done, open] = [await enroll(member, path), await enroll(manager, path)]
  await readContent(member, clock, film, { seconds: 500, progress: 1 })
  assert.equal((await complete(member, done, video)).body.status, 'completed')
  await readContent(manager, clock, film, { seconds: 15, progress: 0.03 })

  await publishVideo(acme, 40, film)
  const { body: before } = await manager.get(open.url)
  await readContent(manager, clock, film, { seconds: 20, progress: 1 })
  const watched = await complete(manager, open, video)
  const fixed = await manager.patch(video.url, { min_seconds: 0 })
  const cleared = await manager.patch(video.url, { min_seconds: null })

  const shown = moduleOf(before, video)
  assert.deepEqual([shown.min_seconds, shown.seen_seconds, shown.seen_progress], [20, 15, 0.03])
  assert.deepEqual([watched.status, watched.body.status], [200, 'completed'])
  assert.deepEqual([fixed.body.min_seconds, cleared.body.min_seconds], [0, 20])
  assert.equal((await member.get(done.url)).body.status, 'completed')
})

test('users stay certified while they renew, and the renewal is due on the day the certificate expires', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { general: { timezone: 'America/Los_Angeles' } })
  const path = await createPath(acme, { certificate, due_in_days: 3 })
  const read = async () => {
    const { components } = (await acme.manager.get(`/api/enablement/readiness/${acme.member.userId}`)).body
    const { summary } = (await acme.manager.get(`${path.url}/enrollments`)).body
    const { learning } = (await acme.manager.get('/api/enablement/insights?days=30')).body
    return [
      components.learning.score,
      summary.total,
      summary.completed,
      summary.average_score,
      learning.completion_rate,
    ]
  }
  // Five in the morning in UTC is the evening before in Los Angeles.
  clock.advance(day - ((clock.now().getTime() / 1_000) % day) + 5 * 3_600)
  await wait(acme, 0)
  await assign(acme, path)
  await completeCycle(acme, path)
  const expiryDay = daysLater(clock.now(), 59).toISOString().slice(0, 10)
  const certified = await read()

  await wait(acme, 31)
  await renew()
  const renewing = await read()
  const [, renewal] = await cyclesOf(acme)
  await wait(acme, 29.5)
  const lapsed = await read()
  clock.reset()
  clock.freeze()

  assert.deepEqual(
    [certified, renewing],
    [
      [100, 1, 1, null, 1],
      [100, 1, 1, null, 1],
    ],
  )
  assert.deepEqual([renewal!.source, renewal!.due_on], ['recertify', expiryDay])
  assert.deepEqual(lapsed, [0, 1, 0, null, 0])
})

test('a certificate expires without an event if its holder has a newer one', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { certificate })
  const expired = async () => (await acme.events()).filter((type) => type === 'certificate.expired').length
  await assign(acme, path)
  await completeCycle(acme, path)
  await wait(acme, 31)
  await renew()
  await completeCycle(acme, path)

  await wait(acme, 30)
  await renew()
  const renewed = await expired()
  const { rows } = await acme.sql('select expired_at from enablement.certificates where tenant_id = $1', [acme.id])
  await wait(acme, 31)
  await renew()
  const lapsed = await expired()
  clock.reset()
  clock.freeze()

  assert.deepEqual([renewed, lapsed], [0, 1])
  assert.equal(rows.filter(({ expired_at }) => expired_at).length, 1)
})

test('a holder who cannot be enrolled when the certificate is due is enrolled later', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { certificate, due_in_days: 3 })
  await assign(acme, path)
  await completeCycle(acme, path)
  const setStatus = (status: string) => acme.admin.patch(`/api/users/${acme.member.userId}`, { status })
  const archive = () => acme.manager.patch(path.url, { status: 'archived' })
  const countCycles = async () =>
    (await acme.sql('select id from enablement.learning_enrollments where tenant_id = $1', [acme.id])).rows.length

  await setStatus('deactivated')
  clock.advance(31 * day)
  await renew()
  await renew()
  const whileAway = await countCycles()
  await acme.sql("update identity.users set status = 'active' where id = $1", [acme.member.userId])
  await wait(acme, 1.1)
  await archive()
  await renew()
  const whileArchived = await countCycles()
  for (const status of ['draft', 'published']) await acme.manager.patch(path.url, { status })
  await wait(acme, 40)
  await renew()
  await renew()
  const [, renewal] = await cyclesOf(acme)
  const inThreeDays = daysLater(clock.now(), 3).toISOString().slice(0, 10)
  clock.reset()
  clock.freeze()

  assert.deepEqual([whileAway, whileArchived], [1, 1])
  assert.deepEqual([renewal!.source, renewal!.due_on], ['recertify', inThreeDays], 'the certificate has expired')
})

test('the current cycle of a user is the latest one, or the one of a valid newest certificate', async () => {
  const acme = await tenant()
  const now = clock.now()
  const cycle = fc.record({
    status: fc.constantFrom('completed', 'failed', 'withdrawn'),
    expiresInDays: fc.option(fc.integer({ min: -3, max: 3 }).filter((days) => days !== 0)),
    hasCertificate: fc.boolean(),
    isRevoked: fc.boolean(),
  })
  const last = fc.constantFrom('not_started', 'in_progress', 'completed', 'failed', 'withdrawn')
  const history = fc.tuple(fc.array(cycle, { maxLength: 4 }), cycle, last)
  const histories = fc
    .sample(history, { numRuns: 300, seed: 5 })
    .map(([earlier, final, status]) => [...earlier, { ...final, status }])
  const rows = histories.flatMap((cycles) => {
    const pathId = newId()
    return cycles.map((one, index) => ({ ...one, pathId, id: newId(), code: createCode(), number: index + 1 }))
  })
  await acme.sql(
    `with row as (select * from json_to_recordset($1) as row ("pathId" uuid, id uuid, code text, number integer, status text,
        "hasCertificate" boolean, "isRevoked" boolean, "expiresInDays" integer)
    ), paths as (
      insert into enablement.learning_paths (tenant_id, id, title, type, status, certificate, search_text)
      select distinct $2::uuid, "pathId", 'Path', 'product', 'published', '{}'::jsonb, 'path' from row
    ), cycles as (
      insert into enablement.learning_enrollments (tenant_id, id, path_id, user_id, cycle, source, is_mandatory, status, completed_at)
      select $2, id, "pathId", $3, number, 'assigned', true, status, case when status = 'completed' then $4::timestamptz end from row
    )
    insert into enablement.certificates (tenant_id, id, enrollment_id, user_id, path_id, code, title, issued_at, expires_at, revoked_at)
    select $2, gen_random_uuid(), id, $3, "pathId", code, 'Certificate', $4::timestamptz - make_interval(days => 10 - number),
      $4::timestamptz + make_interval(days => "expiresInDays"), case when "isRevoked" then $4::timestamptz end
    from row where status = 'completed' and "hasCertificate"`,
    [JSON.stringify(rows), acme.id, acme.member.userId, now],
  )

  const found = await inTenant(services.db, systemActor(acme.id), (tx) =>
    sql<{ path_id: string; status: string }>`${currentCycles({ where: sql`true`, now })}`.execute(tx),
  )

  const expected = Map.groupBy(rows, ({ pathId }) => pathId)
    .entries()
    .flatMap(([path_id, cycles]) => {
      const latest = cycles.findLast(({ status }) => status !== 'withdrawn')
      const newest = cycles.findLast(({ status, hasCertificate }) => status === 'completed' && hasCertificate)
      const isCertified = newest && !newest.isRevoked && (newest.expiresInDays ?? 1) > 0
      return latest ? [[path_id, isCertified ? 'completed' : latest.status]] : []
    })
  assert.deepEqual(
    Object.fromEntries(found.rows.map(({ path_id, status }) => [path_id, status])),
    Object.fromEntries(expected),
  )
})
