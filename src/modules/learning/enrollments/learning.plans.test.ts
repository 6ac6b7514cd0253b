// Query plans of the lists of enrollments, and of the jobs about due dates, time limits and certificates, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId, nilUuid } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listContentTimes } from '../../library/facts/facts.queries.ts'
import { listOverdueAttempts, listTenantsWithOverdueAttempts } from '../attempts/expire-attempts.queries.ts'
import {
  listCertificatesToRenew,
  listTenantsWithDueCertificates,
  lockExpiredCertificates,
} from '../certificates/certificates.queries.ts'
import { listEnrollmentModules } from '../records/enrollments.queries.ts'
import { listLatestEnrollments } from './enroll.queries.ts'
import { countPathEnrollments, listOwnEnrollmentRows, listPathEnrollmentRows } from './lists.queries.ts'
import { listDueEnrollments, listTenantsWithDueEnrollments } from './reminders.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, userId, pathId] = [newId(), newId(), newId()]
const insertEnrollments = (id: string) => `
  with people as (
    insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text)
    select '${id}', case n when 1 then '${userId}'::uuid else gen_random_uuid() end, 'user' || n || '@acme.example', 'User ' || n,
      'member', 'active', false, 'admin', 'user'
    from generate_series(1, 100) n returning id
  ), paths as (
    insert into enablement.learning_paths (tenant_id, id, title, type, status, certificate, search_text)
    select '${id}', case n when 1 then '${pathId}'::uuid else gen_random_uuid() end, 'Path ' || n, 'product', 'published', '{}', 'path'
    from generate_series(1, 30) n returning id
  ), modules as (
    insert into enablement.learning_modules (tenant_id, id, path_id, position, title, kind, quiz)
    select '${id}', gen_random_uuid(), paths.id, n, 'Module', 'quiz', '{}' from paths, generate_series(1, 2) n returning id, path_id
  ), enrollments as (
    insert into enablement.learning_enrollments (tenant_id, id, path_id, user_id, source, is_mandatory, status, completed_at, due_on)
    select '${id}', gen_random_uuid(), paths.id, people.id, 'assigned', true, state.status,
      case when state.status = 'completed' then now() end, current_date + (random() * 200)::int - 100
    from paths, people, lateral (select (array['not_started', 'completed', 'completed', 'completed'])[1 + (random() * 3)::int
      + 0 * length(people.id::text || paths.id::text)] as status) state returning id, path_id, user_id
  ), owned as (
    insert into enablement.enrollment_modules (tenant_id, enrollment_id, module_id, position, is_required)
    select '${id}', enrollments.id, modules.id, 1, true from enrollments join modules using (path_id) returning enrollment_id, module_id
  ), attempts as (
    insert into enablement.quiz_attempts (tenant_id, id, enrollment_id, module_id, number, state, questions, started_at, deadline_at,
      submitted_at, earned, possible, score, passed)
    select '${id}', gen_random_uuid(), enrollment_id, module_id, 1, 'submitted', '[]', now(), now(), now(), 1, 1, 100, true from owned
  )
  insert into enablement.certificates (tenant_id, id, enrollment_id, user_id, path_id, code, title, issued_at, expires_at, recertify_at,
    expired_at, recertified_at)
  select '${id}', gen_random_uuid(), enrollments.id, user_id, path_id,
    translate(upper(substr(md5(enrollments.id::text), 1, 12)), 'ILOU', '1100'), 'Certificate', now(), now(), now(), now(), now()
  from enrollments`
await loadRows(owner, async (client) => {
  for (const id of [acmeId, newId()]) await client.query(insertEnrollments(id))
})
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)
const page = { limit: 50, offset: 0, count: 'none' } as const
const scope = { pathId, learners: null, now: new Date(), today: '2030-01-01' }

test('enrollments of a user and of a path are read by indexes in their order', async () => {
  const own = await planOf((tx) => listOwnEnrollmentRows(tx, userId, page))
  const byStatus = await planOf((tx) => listPathEnrollmentRows(tx, scope, { ...page, status: ['completed', 'failed'] }))
  const lists = [
    [own, /learning_enrollments_of_user/],
    [await planOf((tx) => listPathEnrollmentRows(tx, scope, page)), /learning_enrollments_of_path on/],
    [await planOf((tx) => listPathEnrollmentRows(tx, scope, { ...page, sort: 'due_on' })), /of_path_by_due/],
    [byStatus, /learning_enrollments_by_path/],
    [await planOf((tx) => countPathEnrollments(tx, scope)), /certificates_by_user/],
    [
      await planOf((tx) => listLatestEnrollments(tx, pathId, [userId], new Date())),
      /learning_enrollments_cycle_unique/,
    ],
  ] as const
  for (const [plan, index] of lists) {
    assert.match(plan, index)
    assert.doesNotMatch(plan, /Seq Scan on learning_enrollments/)
  }
  assert.doesNotMatch(own, /Sort Key: learning_enrollments/)
  assert.match(await planOf((tx) => listEnrollmentModules(tx, [newId()])), /enrollment_modules_pkey/)
  const times = await planOf((tx) => listContentTimes(tx, userId, [newId()], new Date()))
  assert.match(times, /content_views_by_user/)
})

test('due dates, time limits and certificates are found by partial indexes', async () => {
  const now = new Date()
  const first = { after: { due_on: '2020-01-01', id: nilUuid }, limit: 1_000 }
  const [from, to] = ['2026-01-01', '2026-01-02']
  const found = [
    [await planOf((tx) => listDueEnrollments(tx, [from, to], first)), /learning_enrollments_due/],
    [await planOf((tx) => listOverdueAttempts(tx, now, 200)), /quiz_attempts_overdue/],
    [await planOf((tx) => lockExpiredCertificates(tx, now, 1_000)), /certificates_to_expire/],
    [await planOf((tx) => listCertificatesToRenew(tx, now, 1_000)), /certificates_to_renew/],
    [await plans.systemPlanOf((tx) => listTenantsWithDueEnrollments(tx, { from, to })), /learning_enrollments_due/],
    [await plans.systemPlanOf((tx) => listTenantsWithOverdueAttempts(tx, now)), /quiz_attempts_overdue/],
    [await plans.systemPlanOf((tx) => listTenantsWithDueCertificates(tx, now)), /certificates_to_expire/],
  ] as const
  for (const [plan, index] of found) {
    assert.match(plan, index)
    assert.doesNotMatch(plan, /Seq Scan on (learning_enrollments|quiz_attempts|certificates)/)
  }
})
