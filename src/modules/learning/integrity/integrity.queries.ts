import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Same rule as `deriveProgress`. Completed enrollments keep the progress that they had. */
const derived = sql`(
  select own.enrollment_id,
    coalesce(round(count(*) filter (where own.is_required and own.state in ('completed', 'waived'))::numeric
      / nullif(count(*) filter (where own.is_required and own.state <> 'removed'), 0), 4), 0) as progress_rate,
    round(avg(own.score) filter (where own.is_required and own.state <> 'removed'), 2) as score
  from enablement.enrollment_modules own group by own.enrollment_id)`

/** Open enrollments whose progress or score differs from their modules, or that lack nothing to be completed. */
export async function findEnrollmentsWithOtherProgress(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select enrollment.id from enablement.learning_enrollments enrollment
    join ${derived} derived on derived.enrollment_id = enrollment.id
    where enrollment.status in ('not_started', 'in_progress') and (enrollment.progress_rate <> derived.progress_rate
      or enrollment.score is distinct from derived.score or derived.progress_rate = 1)
    order by enrollment.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function findEnrollmentsWithoutCertificate(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select enrollment.id from enablement.learning_enrollments enrollment
    where enrollment.status = 'completed' and enrollment.earns_certificate
      and not exists (select from enablement.certificates certificate where certificate.enrollment_id = enrollment.id)
    order by enrollment.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Attempts that the schedule should have graded long ago. */
export async function findForgottenAttempts(tx: TenantTx, before: Date, limit: number): Promise<string[]> {
  const attempts = await tx
    .selectFrom('enablement.quiz_attempts')
    .select('id')
    .where('state', '=', sql.lit('open'))
    .where('deadline_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute()
  return attempts.map(({ id }) => id)
}

export const listAttemptKeys = (tx: TenantTx, ids: readonly string[]) =>
  tx
    .selectFrom('enablement.quiz_attempts')
    .select(['id', 'enrollment_id', 'module_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('enrollment_id')
    .execute()
