import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

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
