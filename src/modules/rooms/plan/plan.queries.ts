import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Database, selectRows, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

type Steps = Database['enablement.room_plan_steps']

const stepColumns = [
  'id',
  'title',
  'description',
  'side',
  'assignee_user_id',
  'assignee_name',
  'assignee_email',
  'due_on',
  'status',
  'is_internal',
  'position',
  'completed_at',
  'completed_by',
  'created_at',
  'updated_at',
  'version',
] as const
export type StepRow = Pick<Selectable<Steps>, (typeof stepColumns)[number]>

export function listStepRows(tx: TenantTx, roomId: string): Promise<StepRow[]> {
  return tx
    .selectFrom('enablement.room_plan_steps')
    .select(stepColumns)
    .where('room_id', '=', roomId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

export function getStepRow(tx: TenantTx, roomId: string, id: string): Promise<StepRow> {
  return tx
    .selectFrom('enablement.room_plan_steps')
    .select(stepColumns)
    .where('room_id', '=', roomId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('plan step'))
}

export function insertStep(tx: TenantTx, step: Insertable<Steps>): Promise<StepRow> {
  return tx.insertInto('enablement.room_plan_steps').values(step).returning(stepColumns).executeTakeFirstOrThrow()
}

type CopiedStep = Pick<StepRow, 'id' | 'title' | 'description' | 'side' | 'due_on' | 'is_internal' | 'position'>

export async function insertSteps(tx: TenantTx, roomId: string, steps: readonly CopiedStep[]): Promise<void> {
  const { columns, rows } = selectRows(
    steps.map((step) => ({ ...step, room_id: roomId })),
    {
      id: 'uuid',
      room_id: 'uuid',
      title: 'text',
      description: 'text',
      side: 'text',
      due_on: 'date',
      is_internal: 'boolean',
      position: 'integer',
    } as const,
  )
  await tx.insertInto('enablement.room_plan_steps').columns(columns).expression(rows).execute()
}

export function updateStepRow(tx: TenantTx, id: string, fields: Updateable<Steps>): Promise<StepRow> {
  return tx
    .updateTable('enablement.room_plan_steps')
    .set(fields)
    .where('id', '=', id)
    .returning(stepColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteStepRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.room_plan_steps').where('id', '=', id).execute()
}

export async function updateStepPositions(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`
    update enablement.room_plan_steps as step set position = placed.place - 1
    from unnest(${ids}::uuid[]) with ordinality as placed (id, place)
    where step.id = placed.id and step.position <> placed.place - 1
  `.execute(tx)
}
