import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { isAvailable } from '../records/modules.queries.ts'

type Found = { id: string; path_id: string }

export async function listEnrollmentsToWithdraw(tx: TenantTx, userId: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select id, path_id from enablement.learning_enrollments
    where user_id = ${userId}::uuid and status = any ('{not_started,in_progress,failed}'::text[])
  `.execute(tx)
  return rows
}

export async function listEnrollmentsToRestore(tx: TenantTx, userId: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select id, path_id from enablement.learning_enrollments
    where user_id = ${userId}::uuid and status = 'withdrawn' and deactivated_revision is not null
  `.execute(tx)
  return rows
}

export async function listOpenPathIds(tx: TenantTx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ path_id: string }>`
    select path_id from enablement.learning_enrollments
    where user_id = ${userId}::uuid and status = any ('{not_started,in_progress}'::text[])
  `.execute(tx)
  return rows.map(({ path_id }) => path_id)
}

/** Removes modules that were removed from their path during the absence. */
export async function removeDeletedModules(tx: TenantTx, enrollmentIds: readonly string[]): Promise<void> {
  await sql`
    update enablement.enrollment_modules own set state = 'removed', completed_at = null, score = null
    from enablement.learning_modules module
    where own.enrollment_id = any (${enrollmentIds}::uuid[]) and module.id = own.module_id
      and module.removed_at is not null and own.state <> 'removed'
    returning own.module_id
  `.execute(tx)
}

/** Adds the modules that enrollments lack, if their path changed during the absence or no required module is left. */
export async function addMissingModules(tx: TenantTx, enrollmentIds: readonly string[]): Promise<void> {
  await sql`
    insert into enablement.enrollment_modules (enrollment_id, module_id, position, is_required)
    select enrollment.id, module.id, module.position, module.is_required
    from enablement.learning_enrollments enrollment
    join enablement.learning_paths path on path.id = enrollment.path_id
    join enablement.learning_modules module on module.path_id = path.id and module.removed_at is null
    where enrollment.id = any (${enrollmentIds}::uuid[]) and ${isAvailable}
      and (path.revision <> enrollment.deactivated_revision or not exists (select from enablement.enrollment_modules own
        where own.enrollment_id = enrollment.id and own.is_required and own.state <> 'removed'))
    on conflict on constraint enrollment_modules_pkey do nothing
  `.execute(tx)
}

/** Excuses enrollments from modules whose content is no longer available. */
export async function waiveUnavailableModules(tx: TenantTx, enrollmentIds: readonly string[]): Promise<void> {
  await sql`
    update enablement.enrollment_modules own set state = 'waived', completed_at = null, score = null
    from enablement.learning_modules module
    where own.enrollment_id = any (${enrollmentIds}::uuid[]) and module.id = own.module_id
      and own.state = any ('{pending,in_progress,submitted,failed}'::text[]) and not ${isAvailable}
    returning own.module_id
  `.execute(tx)
}
