import type { TenantTx } from '#platform/db'
import { forbidden, notFound } from '#platform/errors'
import type { Services } from '#platform/module'
import { sendRoomAlert } from '../room-alerts/room-alerts.service.ts'
import { getStepRow } from '../room-plan/room-plan.queries.ts'
import { changeStep, recordStepChange } from '../room-plan/room-plan.service.ts'
import { lockRoom } from '../room-records/rooms.queries.ts'
import { getOwnVisit, getPublicLink } from './public-link.service.ts'
import { toPublicStep } from './public-room.rules.ts'
import type { PublicStep, PublicStepChanges } from './room-visits.schemas.ts'
import type { VisitTokens } from './visit-tokens.ts'
import { findVisitor } from './visitors.queries.ts'

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
  const { link, room } = await getPublicLink(tx, shareToken, now)
  const visit = await getOwnVisit(tx, tokens, { visitToken, link })
  const visitor = await findVisitor(tx, room.id, visit.visitor_id)
  if (!visitor?.email) throw forbidden('email_required', 'Enter your email address to change the plan.')
  await lockRoom(tx, room.id)
  const step = await getStepRow(tx, room.id, stepId)
  if (step.is_internal || step.side !== 'buyer') throw notFound('plan step')
  if (step.status === changes.status) return toPublicStep(step)

  const changed = await changeStep(tx, step, changes, visitor.name ?? visitor.email, now)
  await recordStepChange(tx, room, { before: step, after: changed })
  if (!visit.is_internal) await sendRoomAlert(tx, room, { alert: 'plan', visitor })
  return toPublicStep(changed)
}
