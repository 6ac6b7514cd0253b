import { assertAssignable, findUserNames } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { lockEditableRoom } from '../records/room-access.service.ts'
import { type RoomRow, touchRoom } from '../records/rooms.queries.ts'
import { roomPlanStepChanged } from '../rooms.events.ts'
import {
  deleteStepRow,
  getStepRow,
  insertStep,
  listStepRows,
  type StepRow,
  updateStepPositions,
  updateStepRow,
} from './plan.queries.ts'
import { assertStepLimit, completionOf, moveId, progressRateOf, toShownStep } from './plan.rules.ts'
import type { NewPlanStep, PlanStep, PlanStepChanges, RoomPlan } from './plan.schemas.ts'

type PlanServices = Pick<Services, 'clock'>

export async function readPlan(tx: TenantTx, { scopes }: UserActor, roomId: string): Promise<RoomPlan> {
  const steps = await listStepRows(tx, roomId)
  const shown = steps.map((step) => toShownStep(step, scopes))
  return { steps: shown as PlanStep[], progress_rate: progressRateOf(steps) }
}

export async function createPlanStep(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  { position, ...input }: NewPlanStep,
  { clock }: PlanServices,
): Promise<PlanStep> {
  const room = await lockEditableRoom(tx, actor, roomId)
  await assertAssignable(tx, input.assignee_user_id, '/assignee_user_id')
  const steps = await listStepRows(tx, roomId)
  assertStepLimit(steps.length)
  const step = await insertStep(tx, {
    id: newId(),
    room_id: roomId,
    ...input,
    ...completionOf(input.status, await nameOf(tx, actor), clock.now()),
    position: steps.length,
  })
  if (position !== undefined)
    await updateStepPositions(
      tx,
      moveId(
        steps.map(({ id }) => id),
        step.id,
        position,
      ),
    )
  const placed = await getStepRow(tx, roomId, step.id)
  await recordStepChange(tx, room, { after: placed })
  return placed as PlanStep
}

type UpdateStepInput = { changes: PlanStepChanges; expectedVersion?: number }

export async function updatePlanStep(
  tx: TenantTx,
  actor: UserActor,
  { roomId, stepId }: { roomId: string; stepId: string },
  { changes: { position, ...requested }, expectedVersion }: UpdateStepInput,
  { clock }: PlanServices,
): Promise<PlanStep> {
  const room = await lockEditableRoom(tx, actor, roomId)
  const step = await getStepRow(tx, roomId, stepId)
  assertVersion(step, expectedVersion)
  const changes = changedFields(step, requested)
  await assertAssignable(tx, changes.assignee_user_id, '/assignee_user_id')
  if (Object.keys(changes).length) await changeStep(tx, step, changes, await nameOf(tx, actor), clock.now())
  if (position !== undefined && position !== step.position) {
    const ids = (await listStepRows(tx, roomId)).map(({ id }) => id)
    await updateStepPositions(tx, moveId(ids, stepId, position))
  }
  const updated = await getStepRow(tx, roomId, stepId)
  if (updated.version !== step.version) await recordStepChange(tx, room, { before: step, after: updated })
  return toShownStep(updated, actor.scopes) as PlanStep
}

export async function deletePlanStep(
  tx: TenantTx,
  actor: UserActor,
  { roomId, stepId }: { roomId: string; stepId: string },
): Promise<void> {
  const room = await lockEditableRoom(tx, actor, roomId)
  const step = await getStepRow(tx, roomId, stepId)
  await deleteStepRow(tx, stepId)
  await updateStepPositions(
    tx,
    (await listStepRows(tx, roomId)).map(({ id }) => id),
  )
  await recordStepChange(tx, room, { before: step })
}

export const changeStep = (
  tx: TenantTx,
  step: StepRow,
  changes: Omit<PlanStepChanges, 'position'>,
  by: string | null,
  now: Date,
): Promise<StepRow> => updateStepRow(tx, step.id, { ...changes, ...completionOf(changes.status, by, now) })

type StepChange = { before?: StepRow; after?: StepRow }

/** Lock the room first. */
export async function recordStepChange(tx: TenantTx, room: RoomRow, { before, after }: StepChange): Promise<void> {
  const touched = await touchRoom(tx, room.id)
  const action = !before ? 'created' : after ? 'updated' : 'deleted'
  await recordAudit(tx, `room.plan_step_${action}`, { id: room.id, label: room.name, before, after })
  const step = (after ?? before)!
  await emit(tx, roomPlanStepChanged, touched, { step_id: step.id, action, status: step.status })
}

const nameOf = async (tx: TenantTx, { userId }: UserActor): Promise<string | null> =>
  (await findUserNames(tx, [userId])).get(userId) ?? null
