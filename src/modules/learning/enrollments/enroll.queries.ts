import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import { type EnrollmentRow, enrollmentColumns } from '../records/enrollment-row.ts'
import type { EnrollmentSource, EnrollmentStatus } from '../records/learning.schemas.ts'
import { isAvailable } from '../records/modules.queries.ts'

export type LatestEnrollment = {
  id: string
  user_id: string
  cycle: number
  status: EnrollmentStatus
  is_lapsed: boolean
}

/** The last cycle of each user. It has lapsed if its certificate has expired or was revoked. */
export async function listLatestEnrollments(
  tx: TenantTx,
  pathId: string,
  userIds: readonly string[],
  now: Date,
): Promise<LatestEnrollment[]> {
  const { rows } = await sql<LatestEnrollment>`
    select distinct on (enrollment.user_id) enrollment.id, enrollment.user_id, enrollment.cycle, enrollment.status,
      (certificate.revoked_at is not null or coalesce(certificate.expires_at <= ${now}, false)) as is_lapsed
    from enablement.learning_enrollments enrollment
    left join enablement.certificates certificate on certificate.enrollment_id = enrollment.id
    where enrollment.path_id = ${pathId}::uuid and enrollment.user_id = any (${userIds}::uuid[])
    order by enrollment.user_id, enrollment.cycle desc
  `.execute(tx)
  return rows
}

export type NewEnrollment = {
  id: string
  path_id: string
  user_id: string
  cycle: number
  source: EnrollmentSource
  assigned_by: string | null
  is_mandatory: boolean
  due_on: string | null
  revision: number
  created_at: Date
}

/** Inserts in the order of the users, so that two requests cannot wait for each other. Skips users whom another transaction enrolled. */
export async function insertEnrollments(tx: TenantTx, enrollments: readonly NewEnrollment[]): Promise<EnrollmentRow[]> {
  const { columns, rows } = selectRows(enrollments, {
    id: 'uuid',
    path_id: 'uuid',
    user_id: 'uuid',
    cycle: 'integer',
    source: 'text',
    assigned_by: 'uuid',
    is_mandatory: 'boolean',
    due_on: 'date',
    revision: 'integer',
    created_at: 'timestamptz',
  })
  return await tx
    .insertInto('enablement.learning_enrollments')
    .columns(columns)
    .expression(sql`${rows} order by user_id`)
    .onConflict((existing) => existing.doNothing())
    .returning(enrollmentColumns)
    .$castTo<EnrollmentRow>()
    .execute()
}

/**
 * Gives enrollments the current modules of their path, which must be locked. Modules whose content was archived without a
 * replacement cannot be completed, so they are left out unless no required module would remain.
 */
export async function copyModules(tx: TenantTx, pathId: string, enrollmentIds: readonly string[]): Promise<void> {
  await sql`
    with modules as (
      select module.id, module.position, module.is_required, ${isAvailable} as is_available
      from enablement.learning_modules module
      where module.path_id = ${pathId}::uuid and module.removed_at is null
    )
    insert into enablement.enrollment_modules (enrollment_id, module_id, position, is_required)
    select enrollment.id, module.id, module.position, module.is_required
    from unnest(${enrollmentIds}::uuid[]) as enrollment (id) cross join modules module
    where module.is_available or not exists (select from modules other where other.is_required and other.is_available)
  `.execute(tx)
}

type Practiced = { userId: string } & ({ scenarioId: string } | { promptId: string })

/** Open enrollments of a user with an open module of a scenario or a prompt. */
export async function listEnrollmentsToComplete(
  tx: TenantTx,
  practiced: Practiced,
): Promise<{ enrollment_id: string; module_id: string }[]> {
  const matches =
    'scenarioId' in practiced
      ? sql`module.scenario_id = ${practiced.scenarioId}::uuid`
      : sql`module.prompt_id = ${practiced.promptId}::uuid`
  const { rows } = await sql<{ enrollment_id: string; module_id: string }>`
    select own.enrollment_id, own.module_id from enablement.learning_enrollments enrollment
    join enablement.enrollment_modules own on own.enrollment_id = enrollment.id
    join enablement.learning_modules module on module.id = own.module_id
    where enrollment.user_id = ${practiced.userId}::uuid and enrollment.status in ('not_started', 'in_progress')
      and own.state in ('pending', 'in_progress') and ${matches}
    order by own.enrollment_id, own.module_id
  `.execute(tx)
  return rows
}
