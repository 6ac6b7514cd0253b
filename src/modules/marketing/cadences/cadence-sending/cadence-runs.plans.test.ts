// Query plans of the schedule as the application role, with 100,000 waiting runs of one workspace.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId, nilUuid } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listEnrollmentsOfPersons } from '../cadence-enrollments/enrollments.queries.ts'
import { listEnrollmentRows, listPersonEnrollmentRows } from '../cadence-enrollments/list-enrollments.queries.ts'
import { listRunsOfEnrollments, lockOpenRuns } from '../cadence-records/runs.queries.ts'
import * as due from '../cadence-runs/due-runs.queries.ts'
import { listEnrollmentIdsOfSender } from '../cadence-runs/sender-enrollments.queries.ts'
import { listGivenTaskRunIds, listStepTaskRows, listTaskRunsOfPersons } from '../cadence-tasks/step-tasks.queries.ts'
import { listEnrollmentIdsOnRemovedSteps, listLiveEnrollmentIds } from '../cadences/live-enrollments.queries.ts'
import { countRecentEmails, listLiveEnrollmentsOfAddresses } from './enrollment-reactions.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, smallId] = [newId(), newId()]
const [cadenceId, stepId, senderId] = [newId(), newId(), newId()]
await loadRows(owner, async (client) => {
  await addRuns(client, acmeId, 100_000)
  await addRuns(client, smallId, 5)
})
const plans = await startQueryPlans({ owner, database }, { withRows: true })
const now = new Date()
const ids = Array.from({ length: 10 }, newId)

async function addRuns(client: Loader, tenantId: string, count: number): Promise<void> {
  await client.query(
    `insert into marketing.cadence_steps (tenant_id, id, cadence_id, position, type, delay_days, delay_hours, business_days, reply_in_thread)
     values ($1, $2, $3, 1, 'task', 0, 0, false, false)`,
    [tenantId, stepId, cadenceId],
  )
  await client.query(
    `with enrolled as (
       insert into marketing.cadence_enrollments (tenant_id, id, cadence_id, lead_id, person_email_key, sender_id, enrolled_via)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), 'p' || n || '@x.example',
         case when n % 100 = 0 then $4::uuid else gen_random_uuid() end, 'manual'
       from generate_series(1, $5::integer) n returning id, sender_id)
     insert into marketing.cadence_step_runs (tenant_id, id, enrollment_id, cadence_id, step_id, run_at, state, claimed_at, task_user_id, skip_at)
     select $1, gen_random_uuid(), id, $2, $3, now() - random() * interval '1 day', case when is_task then 'claimed' else 'waiting' end,
       case when is_task then now() end, case when is_task then sender_id end, case when is_task then now() end
     from (select *, sender_id = $4::uuid as is_task from enrolled) as enrolled`,
    [tenantId, cadenceId, stepId, senderId, count],
  )
}

type Query = (tx: TenantTx) => Promise<unknown>
const noPersons = { leadIds: ids, contactIds: ids }
const cases: [name: string, query: Query, index: RegExp][] = [
  [
    'due runs',
    (tx) => due.listDueRuns(tx, now, 200),
    /cadence_step_runs_due.*\n\s+Index Cond: .*tenant_id.*run_at <= /,
  ],
  [
    'tasks to skip',
    (tx) => due.listDueSkips(tx, now, 200),
    /cadence_step_runs_to_skip.*\n\s+Index Cond: .*skip_at <= /,
  ],
  [
    'pauses that end',
    (tx) => due.listDueResumes(tx, now, 200),
    /cadence_enrollments_resuming.*\n\s+Index Cond: .*paused_until <= /,
  ],
  [
    'live enrollments of addresses',
    (tx) => listLiveEnrollmentsOfAddresses(tx, noPersons, ['p7@x.example']),
    /cadence_enrollments_(by|live)_address.*\n\s+Index Cond: .*tenant_id.*person_email_key/,
  ],
  [
    'runs to claim',
    (tx) => due.lockWaitingRuns(tx, ids),
    /cadence_step_runs_pkey.*\n\s+Index Cond: .*tenant_id.*id = ANY/,
  ],
  [
    'runs of enrollments',
    (tx) => listRunsOfEnrollments(tx, ids),
    /cadence_step_runs_step_unique.*\n\s+Index Cond: .*enrollment_id = ANY/,
  ],
  ['open runs', (tx) => lockOpenRuns(tx, ids), /cadence_step_runs_step_unique.*\n\s+Index Cond: .*enrollment_id = ANY/],
  [
    'tasks of persons',
    (tx) => listTaskRunsOfPersons(tx, 'lead_id', ids),
    /cadence_enrollments_(by|live)_lead.*\n\s+Index Cond: .*lead_id = ANY/,
  ],
  [
    'open tasks of a user',
    (tx) => listStepTaskRows(tx, { assigneeId: senderId }, { limit: 50, offset: 0, count: 'none' }),
    /cadence_step_runs_tasks.*\n\s+Index Cond: .*task_user_id = /,
  ],
  [
    'tasks that others gave to a user',
    (tx) => listGivenTaskRunIds(tx, newId(), { after: nilUuid, limit: 500 }),
    /cadence_step_runs_tasks.*\n\s+Index Cond: .*task_user_id = /,
  ],
  [
    'enrollments of a sender',
    (tx) => listEnrollmentIdsOfSender(tx, { senderId: newId(), status: 'live' }, { after: newId(), limit: 500 }),
    /cadence_enrollments_by_sender.*\n\s+Index Cond: .*sender_id = /,
  ],
  [
    'emails of a day',
    (tx) => countRecentEmails(tx, cadenceId, now),
    /cadence_step_runs_by_cadence.*\n\s+Index Cond: .*done_at > /,
  ],
  [
    'earlier enrollments of persons',
    (tx) => listEnrollmentsOfPersons(tx, { ...noPersons, emailKeys: ['p7@x.example'], enrollmentIds: [] }),
    /cadence_enrollments_(by|live)_address.*\n\s+Index Cond: .*person_email_key/,
  ],
  [
    'live enrollments of a cadence',
    (tx) => listLiveEnrollmentIds(tx, cadenceId, 500),
    /cadence_enrollments_\w+.*\n\s+Index Cond: .*cadence_id = /,
  ],
  [
    'enrollments on removed steps',
    (tx) => listEnrollmentIdsOnRemovedSteps(tx, cadenceId, { after: newId(), limit: 500 }),
    /cadence_enrollments_active_step.*\n\s+Index Cond: .*current_step_id = /,
  ],
  ...(['status', 'exit_reason'] as const).map((filter): (typeof cases)[number] => [
    `enrollments of a cadence by ${filter}`,
    (tx) =>
      listEnrollmentRows(tx, cadenceId, filter === 'status' ? { status: 'paused' } : { exit_reason: 'replied' }, {
        limit: 50,
        offset: 0,
        count: 'none',
      }),
    /cadence_enrollments_by_status.*\n\s+Index Cond: .*cadence_id = .*status = /,
  ]),
  ...(['lead', 'contact'] as const).flatMap((kind) =>
    [undefined, ['active', 'paused'] as const].map((status): (typeof cases)[number] => [
      `enrollments of a ${kind}${status ? ' by status' : ''}`,
      (tx) =>
        listPersonEnrollmentRows(
          tx,
          kind === 'lead' ? { lead_id: newId() } : { contact_id: newId() },
          { status: status && [...status] },
          { limit: 50, offset: 0, count: 'none' },
        ),
      new RegExp(`cadence_enrollments_by_${kind}_and_id.*\\n\\s+Index Cond: .*${kind}_id = `),
    ]),
  ),
]

for (const [name, query, index] of cases)
  test(`${name} are read by an index, in large and small workspaces`, async () => {
    const plan = await plans.planOf(systemActor(acmeId), query)
    const planOfSmall = await plans.planOf(systemActor(smallId), query)

    assert.match(plan, index)
    assert.doesNotMatch(plan, /Seq Scan on (cadence_enrollments|cadence_step_runs)/)
    const rows = [...plan.matchAll(/actual .*? rows=(\d+)/g)].map(([, count]) => Number(count))
    assert.ok(Math.max(...rows) <= 1_100, plan)
    assert.ok(planOfSmall)
  })

test('workspaces with due runs are found with one index lookup each', async () => {
  const plan = await plans.systemPlanOf((tx) => due.listTenantsWithDueRuns(tx, now))

  assert.match(plan, /cadence_step_runs_due/)
  assert.match(plan, /cadence_step_runs_to_skip/)
  assert.match(plan, /cadence_enrollments_resuming/)
  assert.doesNotMatch(plan, /Sort/)
  assert.doesNotMatch(plan, /Seq Scan on (cadence_enrollments|cadence_step_runs)/)
})
