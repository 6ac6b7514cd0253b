import { newId } from '#platform/ids'
import type { startTestApp } from '#testing'
import { createScenario } from '../../coaching/coaching.fixture.ts'
import { assignPath, createPath, quizModule, textModule } from '../../learning/learning.fixture.ts'
import { createPublishedItem } from '../../library/content/content.fixture.ts'
import { createPrompt, review, scoresOf, submitTake } from '../../pitches/pitches.fixture.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
type Acme = Awaited<ReturnType<TestApp['tenant']>>

/** Records that a readiness is calculated from, at times before the clock of the application. */
export function readinessRecords({ clock }: Pick<TestApp, 'clock'>) {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000)
  const dayOf = (days: number) => daysAgo(days).toISOString().slice(0, 10)

  async function insertSession(acme: Acme, userId: string, score: number, days: number, fields: object = {}) {
    const row = { is_private: false, ...fields }
    await acme.sql(
      `insert into enablement.coaching_sessions (tenant_id, id, kind, rep_id, status, score, passed, finished_at, started_at, is_private,
         scenario_snapshot, created_at, attempt_no, mode, seed, persona_snapshot, state, transcript_source)
       values ($1, $2, 'roleplay', $3, 'finished', $4, true, $5, $5, $6, '{"type":"discovery"}', $5, 1, 'text', '', '{}', '{}', 'server')`,
      [acme.id, newId(), userId, score, daysAgo(days), row.is_private],
    )
  }

  async function insertView(acme: Acme, itemId: string, userId: string, fields: object = {}) {
    const view = { seconds: 20, completed: false, days: 1, ...fields }
    await acme.sql(
      `insert into enablement.content_views (tenant_id, id, item_id, source, user_id, started_at, last_event_at, active_seconds, heartbeats,
         is_internal, completed)
       values ($1, $2, $3, 'library', $4, $5, $5, $6, 1, true, $7)`,
      [acme.id, newId(), itemId, userId, daysAgo(view.days), view.seconds, view.completed],
    )
  }

  /** The worked example: two paths, two sessions, two pitches, six items, two of four required ones, one share. */
  async function prepareExample(acme: Acme) {
    const { userId } = acme.member
    await createScenario(acme)
    const done = await assignPath(acme, acme.member, await createPath(acme, { modules: [quizModule()] }), {
      completed: 1,
    })
    await acme.sql('update enablement.enrollment_modules set score = 88 where enrollment_id = $1', [done.id])
    const halfDone = await createPath(acme, { title: 'Basics', modules: [textModule, textModule] })
    const overdue = await assignPath(acme, acme.member, halfDone, { completed: 1, due: dayOf(3) })
    await insertSession(acme, userId, 80, 0)
    await insertSession(acme, userId, 60, 30)
    const pitched = await createPrompt(acme, { assign: { user_ids: [userId] } })
    await review(acme.manager, await submitTake(acme.member, pitched), { scores: scoresOf(75, 85) })
    await createPrompt(acme, { title: 'Overdue', passing_score: 75, assign: { user_ids: [userId], due_on: dayOf(2) } })
    for (let index = 0; index < 4; index++) {
      const item = await createPublishedItem(acme, { title: `Required ${index}`, is_required_reading: true })
      if (index < 2) await insertView(acme, item.id, userId, { completed: true })
    }
    for (let index = 0; index < 4; index++) await insertView(acme, (await createPublishedItem(acme)).id, userId)
    const shared = await createPublishedItem(acme)
    const room = await acme.member.post('/api/enablement/rooms/', { name: 'Deal' })
    await acme.member.post(`/api/enablement/rooms/${room.body.id}/content`, { content_item_id: shared.id })
    return { overdue: { ...overdue, lastModule: halfDone.modules[1]! } }
  }

  return { dayOf, insertSession, insertView, prepareExample }
}
