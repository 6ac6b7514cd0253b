// Query plans of requests to experts, the refresh of insights and readiness, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor, type UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId, nilUuid } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listRequestRows } from '../../experts/requests/list-requests.queries.ts'
import {
  countOpenRequests,
  listRequestIdsToCheck,
  listTenantsToAdvance,
} from '../../experts/requests/requests.queries.ts'
import { listEnrollments } from '../../learning/facts/facts.queries.ts'
import { listInfluences } from '../../library/analytics/analytics.queries.ts'
import {
  countLibraryViews,
  countViewedItems,
  listDealIdsWithViewsSince,
  listLastViews,
  listReadItems,
} from '../../library/facts/facts.queries.ts'
import {
  listOutdatedUserIds,
  listScores,
  listScoresAt,
  listTenantsToRenew,
  listTenantsWithMarks,
} from '../readiness/readiness.queries.ts'
import { listTenantsToRefresh } from './influences.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, userId, expertId] = [newId(), newId(), newId()]
const insertRows = (id: string) => `
  with people as (select gen_random_uuid() as id, n from generate_series(1, 50) n union all select '${userId}', 0),
  requests as (
    insert into enablement.expert_requests (tenant_id, id, requester_id, topic, subject, body, status, clock_started_at, due_at, answered_at,
      expert_id, expert_user_id, next_check_at)
    select '${id}', gen_random_uuid(), people.id, 'topic' || n % 10, 'A', 'B', case when k % 4 = 0 then 'assigned' else 'closed' end,
      now(), now() + k * interval '1 hour', case when k % 4 <> 0 then now() end, case when k % 4 = 0 then '${expertId}'::uuid end,
      case when k % 4 = 0 then people.id end, case when k % 4 = 0 then now() + k * interval '1 hour' end
    from people, generate_series(1, 60) k returning id
  ), items as (
    insert into enablement.content_items (tenant_id, id, title, type, status, is_required_reading)
    select '${id}', gen_random_uuid(), 'Item ' || n, 'document', 'published', n < 5 from generate_series(1, 400) n returning id
  ), views as (
    insert into enablement.content_views (tenant_id, id, item_id, source, user_id, visitor_id, opportunity_id, started_at, last_event_at,
      active_seconds, is_internal, updated_at)
    select '${id}', gen_random_uuid(), items.id, case when n % 2 = 0 then 'library' else 'room' end,
      case when n % 2 = 0 then '${userId}'::uuid end, case when n % 2 = 1 then gen_random_uuid() end,
      case when n % 2 = 1 then gen_random_uuid() end, now() - n * interval '5 days', now() - n * interval '5 days', 20, n % 2 = 0,
      now() - n * interval '5 days'
    from items, generate_series(1, 60) n
  ), snapshots as (
    insert into enablement.readiness_snapshots (tenant_id, user_id, day, score_tenths, components)
    select '${id}', people.id, current_date - k, 500, '{}' from people, generate_series(1, 100) k
  ), scores as (
    insert into enablement.readiness_scores (tenant_id, user_id, level, coverage, components, gaps, computed_at)
    select '${id}', people.id, 'unknown', 0, '{}', '[]', now() from people
  )
  insert into enablement.learning_enrollments (tenant_id, id, path_id, user_id, source, is_mandatory)
  select '${id}', gen_random_uuid(), gen_random_uuid(), people.id, 'assigned', true from people, generate_series(1, 100) k`
await loadRows(owner, async (client) => {
  for (const id of [acmeId, newId()]) await client.query(insertRows(id))
})
const { planOf: collectPlan, systemPlanOf } = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => collectPlan(systemActor(acmeId), work)
const page = { limit: 50, offset: 0, count: 'none' as const }
const listAs = (role: 'manager' | 'member', filters: object = {}) =>
  planOf((tx) => listRequestRows(tx, { userId, role } as UserActor, { ...page, ...filters }))

test('requests are read from an index in the order of the list', async () => {
  assert.match(await listAs('manager'), /Index Scan using expert_requests_by_order/)
  assert.match(await listAs('manager', { status: ['assigned'] }), /Index Scan using expert_requests_by_status/)
  assert.match(await listAs('member', { my_requests: true }), /Index Scan using expert_requests_by_requester/)
  assert.match(await listAs('member', { my_incoming: true }), /Index Scan using expert_requests_by_expert_user/)
  assert.doesNotMatch(await listAs('member'), /Seq Scan on expert_requests/)
  assert.match(await planOf((tx) => countOpenRequests(tx, [expertId])), /expert_requests_by_expert/)
})

test('the schedule of requests reads those that are due', async () => {
  const now = daysLater(new Date(), 0)
  assert.match(await systemPlanOf((tx) => listTenantsToAdvance(tx, now)), /expert_requests_to_check.*\n\s+Index Cond/)
  assert.doesNotMatch(await planOf((tx) => listRequestIdsToCheck(tx, now, 200)), /Seq Scan on expert_requests/)
})

test('the refresh of insights does not read all views', async () => {
  const since = daysLater(new Date(), -6)
  const window = { id: newId(), from: since, to: new Date() }
  const period = { from: since, to: new Date(), previousFrom: since }
  const plans = [
    await planOf((tx) => listInfluences(tx, [window])),
    await planOf((tx) => listDealIdsWithViewsSince(tx, since, { after: nilUuid, limit: 1_000 })),
    await planOf((tx) => countLibraryViews(tx, period)),
  ]
  for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on content_views/)
  assert.match(plans[0]!, /content_views_by_opportunity/)
})

test('readiness reads the rows of its users', async () => {
  const since = daysLater(new Date(), -6)
  const views = await planOf((tx) => countViewedItems(tx, [userId], { since, minSeconds: 15 }))
  const read = await planOf((tx) =>
    listReadItems(tx, [userId], [{ id: newId(), title: '', audience_team_ids: null, version_no: null }]),
  )
  const enrollments = await planOf((tx) => listEnrollments(tx, [userId], new Date()))
  const history = await planOf((tx) => listScoresAt(tx, [userId], '2030-01-01'))

  for (const plan of [views, read]) assert.doesNotMatch(plan, /Seq Scan on content_views/)
  assert.doesNotMatch(enrollments, /Seq Scan on learning_enrollments/)
  assert.match(history, /readiness_snapshots_pkey/)
  assert.match(await planOf((tx) => listScores(tx, null)), /readiness_scores/)
  for (const users of [null, [userId]]) {
    const outdated = await planOf((tx) => listOutdatedUserIds(tx, users, new Date()))
    const viewed = await planOf((tx) => listLastViews(tx, users, since))
    assert.doesNotMatch(outdated, /Seq Scan on (readiness_scores|readiness_marks)/)
    assert.doesNotMatch(viewed, /Seq Scan on content_views/)
  }
})

test('the schedules find workspaces by marks, days and views, so workspaces without them cost nothing', async () => {
  const plans = [
    await systemPlanOf((tx) => listTenantsWithMarks(tx)),
    await systemPlanOf((tx) => listTenantsToRenew(tx, daysLater(new Date(), -1))),
    await systemPlanOf((tx) => listTenantsToRefresh(tx, daysLater(new Date(), -0.01))),
  ]
  assert.match(plans[0]!, /readiness_marks/)
  assert.match(plans[1]!, /readiness_scores_to_renew/)
  assert.match(plans[2]!, /insight_marks/)
  for (const plan of plans) assert.doesNotMatch(plan, /on tenants|Seq Scan on content_views/)
})
