// The figures of the list and of the page of a user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { systemActor, type UserActor } from '#platform/access'
import { addDays, startOfDay } from '#platform/calendar'
import { inTenant, type TenantTx } from '#platform/db'
import { newId, nilUuid } from '#platform/ids'
import { startTestApp } from '#testing'
import { createScenario } from '../../coaching/coaching.fixture.ts'
import { createPath } from '../../learning/learning.fixture.ts'
import { createPublishedItem } from '../../library/content/content.fixture.ts'
import { listSellerReadiness } from './list-readiness.service.ts'
import { readinessRecords } from './readiness.fixture.ts'
import { getSellerReadiness } from './readiness.service.ts'
import { recomputeMarked, recomputeSellersAfter } from './recompute-readiness.service.ts'

const app = await startTestApp()
const { tenant, clock, db } = app

type Acme = Awaited<ReturnType<typeof tenant>>
const url = '/api/enablement/readiness'
const { insertSession, insertView } = readinessRecords(app)

test('a page calculates only its users if more are outdated, and says since when order and summary are right', async () => {
  const acme = await tenant()
  await createScenario(acme)
  const storedAt = clock.now()
  await inTenant(db, systemActor(acme.id), (tx) => recomputeSellersAfter(tx, nilUuid, storedAt))
  await insertSession(acme, acme.member.userId, 90, 0)
  for (const { userId } of [acme.member, acme.manager, acme.admin])
    await acme.sql('insert into enablement.readiness_marks (tenant_id, id, user_id) values ($1, $2, $3)', [
      acme.id,
      newId(),
      userId,
    ])
  const list = async (query: string) => (await acme.manager.get(`${url}?sort=-score&${query}`)).body
  const ofMember = ({ items }: { items: { user: { id: string }; score: number }[] }) =>
    items.find(({ user }) => user.id === acme.member.userId)?.score

  const whole = await list('limit=50')
  const pages = [await list('limit=1'), await list('limit=1&offset=1'), await list('limit=1&offset=2')]

  assert.deepEqual([ofMember(whole), whole.summary.by_level.developing], [60, 1])
  assert.ok(whole.as_of > storedAt.toISOString())
  assert.deepEqual(
    pages.flatMap((page) => ofMember(page) ?? []),
    [60],
  )
  for (const { as_of, summary } of pages) {
    assert.equal(as_of, storedAt.toISOString())
    assert.equal(summary.by_level.developing, 0)
  }
})

const timezones = ['America/Los_Angeles', 'Asia/Kathmandu', 'Asia/Tokyo', 'UTC', 'Europe/Berlin']
/** Clocks change in Berlin on the third day. */
const firstDay = '2041-03-29'
const days = 5

/** Enrollments that become due, and practice and views that leave their period, within these days. */
async function prepareDeadlines(acme: Acme, timezone: string) {
  const { sql, id } = acme
  const set = await acme.admin.patch('/api/admin/settings', { general: { timezone } })
  assert.equal(set.status, 200, set.text)
  await createScenario(acme)
  const item = await createPublishedItem(acme)
  const users = [acme.member, acme.manager, acme.admin]
  const user_ids = users.map(({ userId }) => userId)
  const inDays = (day: number) => addDays(firstDay, day)
  for (const [index, status] of ['in_progress', 'not_started', 'failed'].entries()) {
    const path = await createPath(acme, { title: status })
    const enrolled = await acme.manager.post(`${path.url}/enroll`, { user_ids, is_mandatory: true })
    assert.ok(enrolled.status < 300, enrolled.text)
    await sql(
      `update enablement.learning_enrollments set status = $3, progress_rate = 0.5,
         due_on = ($4::date + array_position($5::uuid[], user_id))::date where tenant_id = $1 and path_id = $2`,
      [id, path.id, status, inDays(index - 1), user_ids],
    )
  }
  for (const [index, { userId }] of users.entries()) {
    await insertSession(acme, userId, 40 + index, 0)
    await insertView(acme, item.id, userId)
  }
  await sql(
    `update enablement.coaching_sessions set finished_at = $2::date - interval '87 days 5 hours' where tenant_id = $1`,
    [id, firstDay],
  )
  await sql(
    `update enablement.content_views set started_at = $2::date - interval '28 days 17 hours', last_event_at = $2::date where tenant_id = $1`,
    [id, firstDay],
  )
}

for (const timezone of timezones)
  test(`the list and the page of a user show the same readiness at every moment of days in ${timezone}`, async () => {
    const acme = await tenant()
    await prepareDeadlines(acme, timezone)
    const actor = { userId: acme.manager.userId, role: 'manager' } as UserActor
    const inWorkspace = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(acme.id), work)
    const query = { limit: 50, offset: 0, count: 'none', sort: 'score' } as const
    const runs: Record<string, (now: Date) => Promise<unknown>> = {
      nothing: async () => {},
      marks: (now) => inWorkspace((tx) => recomputeMarked(tx, now)),
      day: (now) => inWorkspace((tx) => recomputeSellersAfter(tx, nilUuid, now)),
    }
    const midnights = Array.from({ length: days }, (_, day) => Date.parse(startOfDay(addDays(firstDay, day), timezone)))
    const step = fc.record({
      at: fc.oneof(
        fc
          .tuple(fc.constantFrom(...midnights), fc.constantFrom(-1, 0, 1, 60_000))
          .map(([midnight, ms]) => midnight + ms),
        fc.integer({ min: midnights[0]!, max: midnights.at(-1)! }),
      ),
      run: fc.constantFrom(...Object.keys(runs)),
    })

    const scores = new Set<number | null>()
    const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      await acme.sql('delete from enablement.readiness_scores where tenant_id = $1', [acme.id])
      for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
        const now = new Date(at)
        await runs[run]!(now)
        const { items } = await inWorkspace((tx) => listSellerReadiness(tx, actor, query, now))
        for (const { user, score, level, coverage, components, top_gap } of items) {
          const page = await inWorkspace((tx) => getSellerReadiness(tx, actor, user.id, now))
          const shown = Object.entries(page.components).map(([name, component]) => [name, component.score])
          assert.deepEqual(
            { score, level, coverage, components, top_gap },
            {
              score: page.score,
              level: page.level,
              coverage: page.coverage,
              components: Object.fromEntries(shown),
              top_gap: page.gaps[0] ?? null,
            },
            `${now.toISOString()} after ${run}`,
          )
          scores.add(score)
        }
      }
    })

    await fc.assert(property, { numRuns: 4 })
    assert.ok(scores.size > 3, [...scores].join())
  })
