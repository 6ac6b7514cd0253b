import { type Insertable, sql, type Updateable } from 'kysely'
import { type Database, selectRows, type TenantTx } from '#platform/db'
import { type CadenceRow, cadenceColumns } from '../cadence-records/cadences.queries.ts'
import type { StepRow } from '../cadence-records/steps.queries.ts'

type Cadences = Database['marketing.cadences']

export async function insertCadence(tx: TenantTx, cadence: Insertable<Cadences>): Promise<CadenceRow> {
  const row = await tx
    .insertInto('marketing.cadences')
    .values(cadence)
    .returning(cadenceColumns)
    .executeTakeFirstOrThrow()
  return row as unknown as CadenceRow
}

export async function updateCadenceRow(tx: TenantTx, id: string, fields: Updateable<Cadences>): Promise<CadenceRow> {
  const row = await tx
    .updateTable('marketing.cadences')
    .set(fields)
    .where('id', '=', id)
    .returning(cadenceColumns)
    .executeTakeFirstOrThrow()
  return row as unknown as CadenceRow
}

export async function lockCadencesOfCampaigns(tx: TenantTx, campaignIds: readonly string[]): Promise<CadenceRow[]> {
  if (!campaignIds.length) return []
  const rows = await tx
    .selectFrom('marketing.cadences')
    .select(cadenceColumns)
    .where('campaign_id', '=', sql<string>`any(${campaignIds}::uuid[])`)
    .where('status', 'in', [sql.lit('active'), sql.lit('paused')])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows as unknown as CadenceRow[]
}

export async function deleteCadenceRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('marketing.cadence_steps').where('cadence_id', '=', id).execute()
  await tx.deleteFrom('marketing.cadences').where('id', '=', id).execute()
}

export async function findCadenceIdByName(tx: TenantTx, name: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('marketing.cadences')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .where('status', '<>', sql.lit('archived'))
    .executeTakeFirst()
  return row?.id
}

export async function hasEnrollments(tx: TenantTx, cadenceId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select('id')
    .where('cadence_id', '=', cadenceId)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

const stepTypes = {
  id: 'uuid',
  cadence_id: 'uuid',
  position: 'integer',
  type: 'text',
  delay_days: 'integer',
  delay_hours: 'integer',
  business_days: 'boolean',
  subject_template: 'text',
  body_template: 'text',
  reply_in_thread: 'boolean',
  instructions: 'text',
  auto_skip_after_days: 'integer',
} as const

/** Inserts new steps and replaces the values of existing ones, for transactions that hold the cadence. */
export async function upsertSteps(tx: TenantTx, steps: readonly StepRow[]): Promise<void> {
  if (!steps.length) return
  const { columns, rows } = selectRows(steps, stepTypes)
  const changed = columns.filter((column) => column !== 'id' && column !== 'cadence_id')
  await tx
    .insertInto('marketing.cadence_steps')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'id'])
        .doUpdateSet((row) => Object.fromEntries(changed.map((column) => [column, row.ref(`excluded.${column}`)]))),
    )
    .execute()
}

export function listRemovedSteps(tx: TenantTx, cadenceId: string): Promise<{ id: string; position: number }[]> {
  return tx
    .selectFrom('marketing.cadence_steps')
    .select(['id', 'position'])
    .where('cadence_id', '=', cadenceId)
    .where('deleted_at', 'is not', null)
    .execute()
}

/** Removes steps, and gives those that were removed before their new position. */
export async function markStepsRemoved(
  tx: TenantTx,
  steps: readonly { id: string; position: number }[],
  now: Date,
): Promise<void> {
  if (!steps.length) return
  await sql`
    update marketing.cadence_steps step set deleted_at = coalesce(step.deleted_at, ${now}), position = removed.position
    from json_to_recordset(${JSON.stringify(steps)}::json) as removed (id uuid, position integer)
    where step.id = removed.id
  `.execute(tx)
}
