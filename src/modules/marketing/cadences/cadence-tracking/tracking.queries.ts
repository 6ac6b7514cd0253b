import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { TrackedKind } from './tracking-tokens.rules.ts'

export type TrackedRun = { id: string; cadence_id: string; step_id: string; enrollment_id: string }

const timeColumns = { click: 'first_clicked_at', open: 'first_opened_at' } as const satisfies Record<
  TrackedKind,
  string
>

/** Finds the email address of a person without a hit of this kind. An erased person has none. */
export async function findTrackedAddress(tx: TenantTx, runId: string, kind: TrackedKind): Promise<string | null> {
  const row = await tx
    .selectFrom('marketing.cadence_step_runs as run')
    .innerJoin('marketing.cadence_enrollments as enrollment', 'enrollment.id', 'run.enrollment_id')
    .select('enrollment.person_email_key')
    .where('run.id', '=', runId)
    .where(`run.${timeColumns[kind]}`, 'is', null)
    .executeTakeFirst()
  return row?.person_email_key ?? null
}

/** Sets the time of the first click or open. Returns undefined if it is known, or the email was not sent before `sentBefore`. */
export async function updateFirstHit(
  tx: TenantTx,
  runId: string,
  kind: TrackedKind,
  { now, sentBefore }: { now: Date; sentBefore: Date },
): Promise<TrackedRun | undefined> {
  const column = sql.ref(timeColumns[kind])
  const { rows } = await sql<TrackedRun>`
    update marketing.cadence_step_runs set ${column} = ${now}
    where id = ${runId}::uuid and ${column} is null and state in ('done', 'uncertain')
      and coalesce(done_at, claimed_at) <= ${sentBefore}
    returning id, cadence_id, step_id, enrollment_id
  `.execute(tx)
  return rows[0]
}

export type TrackedPerson = { lead_id: string | null; contact_id: string | null; cadence_name: string }

export async function findPersonOfRun(tx: TenantTx, runId: string): Promise<TrackedPerson | undefined> {
  return await tx
    .selectFrom('marketing.cadence_step_runs as run')
    .innerJoin('marketing.cadence_enrollments as enrollment', 'enrollment.id', 'run.enrollment_id')
    .innerJoin('marketing.cadences as cadence', 'cadence.id', 'run.cadence_id')
    .select(['enrollment.lead_id', 'enrollment.contact_id', 'cadence.name as cadence_name'])
    .where('run.id', '=', runId)
    .executeTakeFirst()
}
