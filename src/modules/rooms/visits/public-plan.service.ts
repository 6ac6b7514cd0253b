import type { TenantTx } from '#platform/db'
import { forbidden, notFound } from '#platform/errors'
import type { Services } from '#platform/module'
import { sendRoomAlert } from '../alerts/alerts.service.ts'
import { getStepRow } from '../plan/plan.queries.ts'
import { changeStep, recordStepChange } from '../plan/plan.service.ts'
import { lockRoom } from '../records/rooms.queries.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { visitIdentityOf } from '../visit-records/visits.rules.ts'
import { toPublicStep } from './public-room.rules.ts'
import { getAllowedVisit } from './visit-access.service.ts'
import type { PublicStep, PublicStepChanges } from './visits.schemas.ts'

type StepRequest = {
  shareToken: string
  visitToken: string | undefined
  stepId: string
  changes: PublicStepChanges
}

/** Visitors change only steps of the buyer that they can see, and only with a known email address. */
export async function updatePublicPlanStep(
  tx: TenantTx,
  { clock, tokens }: Pick<Services, 'clock'> & { tokens: VisitTokens },
  { shareToken, visitToken, stepId, changes }: StepRequest,
): Promise<PublicStep> {
  const now = clock.now()
  const { room, visit, visitor } = await getAllowedVisit(tx, tokens, { shareToken, visitToken, now })
  if (visit.is_preview) throw forbidden('visit_required', 'A preview cannot change the plan.')
  if (!visitor.email || visitIdentityOf(visit, visitor) === 'anonymous')
    throw forbidden('email_required', 'Enter your email address to change the plan.')
  await lockRoom(tx, room.id)
  const step = await getStepRow(tx, room.id, stepId)
  if (step.is_internal || step.side !== 'buyer') throw notFound('plan step')
  if (step.status === changes.status) return toPublicStep(step)

  const changed = await changeStep(tx, step, changes, visitor.name ?? visitor.email, now)
  await recordStepChange(tx, room, { before: step, after: changed })
  if (!visit.is_internal) await sendRoomAlert(tx, room, { alert: 'plan', visitor })
  return toPublicStep(changed)
}
