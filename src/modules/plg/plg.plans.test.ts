// Query plans of the lists and numbers of usage, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { planForValues, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listActorRows } from './actors/actors.queries.ts'
import { listEventNameRows } from './event-names/event-names.queries.ts'
import { listActorsByRefs } from './ingest/batch-actors.queries.ts'
import { listMarks } from './links/marks.queries.ts'
import { listOpenQualifications, listQualificationRows } from './qualifications/qualifications.queries.ts'
import { listDayNumberRows } from './usage-store/activity.queries.ts'
import { countFunnelRows } from './usage-store/funnel.queries.ts'
import { listTimelineRows } from './usage-store/timeline.queries.ts'

const { owner, database } = await startPlanDb()
const acmeId = newId()
const actorId = '00000000-0000-7000-8000-000000000001'
const insertUsage = (id: string) => `
  insert into plg.states (tenant_id, timezone) values ('${id}', 'UTC');
  insert into plg.actors (tenant_id, id, is_account, ref, first_seen_at, last_seen_at)
  select '${id}', ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n % 10 = 0, 'ref-' || n, now(), now() - n * interval '1 minute'
  from generate_series(1, 3000) n;
  insert into plg.events (tenant_id, event_id, ingest_seq, name, person_actor_id, occurred_at, received_at)
  select '${id}', 'e' || n, n, 'name' || n % 5, ('00000000-0000-7000-8000-' || lpad(to_hex(1 + n % 1000), 12, '0'))::uuid,
    now() - n * interval '10 minutes', now() from generate_series(1, 2000) n;
  insert into plg.event_names (tenant_id, name, first_seen_at) select '${id}', 'name' || n, now() from generate_series(1, 300) n;
  insert into plg.event_days (tenant_id, generation, day, name, shard, events)
  select '${id}', 1, current_date - n, 'name' || m, 0, 5 from generate_series(0, 299) n, generate_series(0, 4) m;
  insert into plg.actor_marks (tenant_id, actor_id, ingest_seq) select '${id}', id, 1 from plg.actors where tenant_id = '${id}' limit 1000;
  insert into plg.qualifications (tenant_id, id, rule_key, actor_id, is_account, qualified_at, last_met_on, evidence, points, lost_at)
  select '${id}', gen_random_uuid(), 'rule' || row_number() over () % 2, id, is_account, now(), current_date, '[]', 20,
    case when row_number() over () % 3 = 0 then now() end from plg.actors where tenant_id = '${id}' limit 2000`
await loadRows(owner, async (client) => {
  for (const id of [newId(), acmeId]) await client.query(insertUsage(id))
})
const { planOf: collectPlan } = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => collectPlan(systemActor(acmeId), work)
const dayOf = (time: Date) => time.toISOString().slice(0, 10)
const page = { limit: 50, offset: 0, count: 'none' as const }

/** Plans as the routes of the dashboard and the funnels do. */
async function readNumbers(tx: TenantTx, read: () => Promise<unknown>): Promise<void> {
  await planForValues(tx)
  await read()
}

test('people, accounts and qualified leads are listed from an index in their order', async () => {
  const plans: [string, (tx: TenantTx) => Promise<unknown>][] = [
    ['actors_by_last_seen', (tx) => listActorRows(tx, {}, page)],
    ['actors_by_last_seen', (tx) => listActorRows(tx, { kind: 'person', linked: false }, page)],
    ['qualifications_by_time', (tx) => listQualificationRows(tx, {}, page)],
    ['qualifications_current', (tx) => listQualificationRows(tx, { state: 'qualified' }, page)],
    ['qualifications_lost', (tx) => listQualificationRows(tx, { state: 'lost' }, page)],
    ['qualifications_by_rule', (tx) => listQualificationRows(tx, { rule_key: 'rule1' }, page)],
  ]
  for (const [index, work] of plans) {
    const plan = await planOf(work)
    assert.match(plan, new RegExp(`Index Scan using ${index} `), plan)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
  }
})

test('numbers, timelines, names and marks are read from indexes', async () => {
  const now = new Date()
  const since = daysLater(now, -30)
  const range = { from: dayOf(since), to: dayOf(now) }
  const plans: [RegExp, (tx: TenantTx) => Promise<unknown>][] = [
    // Both indexes contain the day. Without statistics their costs are equal.
    [
      /event_days_(pkey|by_name)/,
      (tx) => readNumbers(tx, () => listDayNumberRows(tx, { generation: 1, is_account: false, ...range })),
    ],
    [/person_actor_id_occurred_at_idx/, (tx) => listTimelineRows(tx, { actor_id: actorId, kind: 'person', limit: 50 })],
    [
      /Index (Only )?Scan (using|on) events_/,
      (tx) =>
        readNumbers(tx, () =>
          countFunnelRows(tx, { kind: 'person', steps: ['name1', 'name2'], since, until: now, window_seconds: 60 }),
        ),
    ],
    [/event_names_pkey/, (tx) => listEventNameRows(tx, { generation: 1, since: range.from }, page)],
    [/actors_ref_unique/, (tx) => listActorsByRefs(tx, [{ is_account: false, ref: 'ref-1' }])],
    [/actor_marks_by_seq/, (tx) => listMarks(tx, 100)],
    [/qualifications_to_check/, (tx) => listOpenQualifications(tx, actorId, 100)],
    [/Function Scan on search_actors/, (tx) => listActorRows(tx, { search: 'ref-17' }, page)],
  ]
  for (const [index, work] of plans) {
    const plan = await planOf(work)
    assert.match(plan, index, plan)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
  }
})
