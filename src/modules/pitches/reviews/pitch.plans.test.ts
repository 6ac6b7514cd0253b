// Query plans of the review queue, of submissions and of the retention of videos, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listOpenAssignments } from '../prompts/assignments.queries.ts'
import { listSubmissionRows, readTakes } from '../submissions/submissions.queries.ts'
import { listExpiredVideoIds } from '../videos/retention.queries.ts'
import { listQueueRows, type Reviewer } from './review-queue.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, userId, sellerId] = [newId(), newId(), newId()]
const insertPitches = (id: string) => `
  with people as (
    insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text)
    select '${id}', case n when 1 then '${userId}'::uuid when 2 then '${sellerId}'::uuid else gen_random_uuid() end,
      'user' || n || '@acme.example', 'User ' || n, 'member', 'active', false, 'admin', 'user'
    from generate_series(1, 100) n returning id
  ), prompts as (
    insert into enablement.pitch_prompts (tenant_id, id, title, criteria, status, reviewer_ids)
    select '${id}', gen_random_uuid(), 'Prompt ' || n, '[{}]', 'active', case when n = 1 then array['${userId}'::uuid] else '{}' end
    from generate_series(1, 100) n returning id
  ), assignments as (
    insert into enablement.pitch_assignments (tenant_id, id, prompt_id, user_id, due_on, status)
    select '${id}', gen_random_uuid(), prompts.id, people.id, current_date, 'open' from prompts, people
  )
  insert into enablement.pitch_submissions (tenant_id, id, prompt_id, user_id, is_practice, take_no, status, due_on, submitted_at,
    prompt_snapshot, transcript)
  select '${id}', gen_random_uuid(), prompts.id, people.id, false, n, case when n = 5 then 'submitted' else 'reviewed' end,
    current_date + n, now() - n * interval '1 hour', '{}', 'Hello.'
  from prompts, people, generate_series(1, 5) n`
await loadRows(owner, async (client) => {
  for (const id of [acmeId, newId()]) await client.query(insertPitches(id))
})
const { rows } = await owner.query(
  `select id from enablement.pitch_prompts where tenant_id = $1 order by reviewer_ids desc limit 2`,
  [acmeId],
)
const [listedId, promptId]: string[] = rows.map(({ id }) => id)
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)
const page = { limit: 50, offset: 0, count: 'none' } as const

const coach: Reviewer = {
  userId,
  coachesAll: true,
  ledUserIds: [],
  promptIds: [],
  closedPromptIds: [listedId!],
  openTakes: [],
}

test('the review queue is read from partial indexes in its order', async () => {
  const queueOf = (reviewer: Partial<Reviewer>) => planOf((tx) => listQueueRows(tx, { ...coach, ...reviewer }, page))
  const plansByIndex = [
    [await queueOf({}), /Index Scan using pitch_submissions_queue on/],
    [await queueOf({ coachesAll: false, ledUserIds: [sellerId] }), /pitch_submissions_queue_of_user/],
    [await queueOf({ coachesAll: false, promptIds: [listedId!] }), /pitch_submissions_queue_of_prompt/],
  ] as const
  for (const [plan, index] of plansByIndex) {
    assert.match(plan, index)
    assert.doesNotMatch(plan, /Seq Scan on pitch_submissions/)
    assert.doesNotMatch(plan, /Sort Key: pitch_submissions/)
  }
})

test('submissions and assignments of a user are read by indexes', async () => {
  const seller = { userId: sellerId, seesPrivate: true }
  const lists = [
    await planOf((tx) => listSubmissionRows(tx, seller, page)),
    await planOf((tx) => listSubmissionRows(tx, { ...seller, seesPrivate: false }, page)),
    await planOf((tx) => listSubmissionRows(tx, seller, { ...page, status: 'submitted' })),
    await planOf((tx) => listSubmissionRows(tx, seller, { ...page, prompt_id: promptId! })),
  ]
  for (const plan of lists) assert.match(plan, /pitch_submissions_by_(user|prompt)/)
  assert.match(await planOf((tx) => readTakes(tx, promptId!, sellerId)), /pitch_submissions_(by_prompt|take_unique)/)
  assert.match(await planOf((tx) => listOpenAssignments(tx, sellerId, 200)), /pitch_assignments_open/)
})

test('expired videos are found among the submissions with a video', async () => {
  const retention = { now: new Date(), videoDays: 180, practiceDays: 30 }

  const plan = await planOf((tx) => listExpiredVideoIds(tx, retention, 100))

  assert.match(plan, /pitch_submissions_with_video/)
  assert.doesNotMatch(plan, /Seq Scan on pitch_submissions/)
})
