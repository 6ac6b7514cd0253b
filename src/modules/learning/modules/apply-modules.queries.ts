import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Locks the open enrollments of a path in id order, so that no module is completed at the same time. */
export async function lockOpenEnrollments(tx: TenantTx, pathId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.learning_enrollments
    where path_id = ${pathId}::uuid and status in ('not_started', 'in_progress') order by id for no key update
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function addModuleTo(tx: TenantTx, enrollmentIds: readonly string[], moduleId: string): Promise<void> {
  await sql`
    insert into enablement.enrollment_modules (enrollment_id, module_id, position, is_required)
    select enrollment.id, module.id, module.position, module.is_required
    from unnest(${enrollmentIds}::uuid[]) as enrollment (id)
    cross join enablement.learning_modules module where module.id = ${moduleId}::uuid
    on conflict on constraint enrollment_modules_pkey do nothing
  `.execute(tx)
}

/** Copies the order and whether modules are required to enrollments that have them. */
export async function copyOrder(tx: TenantTx, enrollmentIds: readonly string[]): Promise<void> {
  await sql`
    update enablement.enrollment_modules own set position = module.position, is_required = module.is_required
    from enablement.learning_modules module
    where own.enrollment_id = any (${enrollmentIds}::uuid[]) and module.id = own.module_id and module.removed_at is null
      and (own.position <> module.position or own.is_required <> module.is_required)
    returning own.module_id
  `.execute(tx)
}

/** Gives enrollments without any required module the modules of their path, because they could not be completed. */
export async function fillEmptied(tx: TenantTx, enrollmentIds: readonly string[], pathId: string): Promise<void> {
  await sql`
    insert into enablement.enrollment_modules (enrollment_id, module_id, position, is_required)
    select enrollment.id, module.id, module.position, module.is_required
    from unnest(${enrollmentIds}::uuid[]) as enrollment (id)
    join enablement.learning_modules module on module.path_id = ${pathId}::uuid and module.removed_at is null
    where not exists (select from enablement.enrollment_modules own
      where own.enrollment_id = enrollment.id and own.is_required and own.state <> 'removed')
    on conflict on constraint enrollment_modules_pkey do nothing
  `.execute(tx)
}

type NewState = { state: 'removed' | 'waived'; from: readonly string[] }

/** Sets the state of a module in enrollments where it has one of the given states. */
export async function setModuleState(
  tx: TenantTx,
  enrollmentIds: readonly string[],
  moduleId: string,
  { state, from }: NewState,
): Promise<void> {
  await sql`
    update enablement.enrollment_modules set state = ${state}, completed_at = null, score = null
    where enrollment_id = any (${enrollmentIds}::uuid[]) and module_id = ${moduleId}::uuid and state = any (${from}::text[])
    returning module_id
  `.execute(tx)
}

/**
 * Same rule as `deriveProgress`. Enrollments without a difference keep their version. A new revision reaches only those that had
 * the one before; others lack an earlier module.
 */
export async function recalculateProgress(
  tx: TenantTx,
  enrollmentIds: readonly string[],
  { revision }: { revision: number | null },
): Promise<void> {
  await sql`
    update enablement.learning_enrollments enrollment
    set progress_rate = derived.progress_rate, score = derived.score,
      revision = ${next(revision)}
    from (${derivedProgress(enrollmentIds)}) derived
    where enrollment.id = derived.enrollment_id and (enrollment.progress_rate <> derived.progress_rate
      or enrollment.score is distinct from derived.score
      or enrollment.revision <> ${next(revision)})
    returning enrollment.id
  `.execute(tx)
}

const next = (revision: number | null) =>
  sql`case when enrollment.revision = ${revision}::integer - 1 then ${revision}::integer else enrollment.revision end`

const derivedProgress = (enrollmentIds: readonly string[]) => sql`
  select own.enrollment_id,
    coalesce(round(count(*) filter (where own.is_required and own.state in ('completed', 'waived'))::numeric
      / nullif(count(*) filter (where own.is_required and own.state <> 'removed'), 0), 4), 0) as progress_rate,
    round(avg(own.score) filter (where own.is_required and own.state <> 'removed'), 2) as score
  from enablement.enrollment_modules own where own.enrollment_id = any (${enrollmentIds}::uuid[])
  group by own.enrollment_id`

/** Open enrollments whose required modules are all completed or waived. */
export async function listCompletableIds(
  tx: TenantTx,
  pathId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.learning_enrollments
    where path_id = ${pathId}::uuid and status in ('not_started', 'in_progress') and progress_rate = 1
      and id > ${after}::uuid
    order by id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}
