import type { Actor } from '#platform/access'
import { type TenantTx, withSavepoint } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Services } from '#platform/module'
import { findActivityId } from './activities.queries.ts'
import { type ActivityInput, createActivity, type TimelineRef } from './activities.service.ts'
import { findSurvivingId } from './activity-parents.queries.ts'

type LoggedActivity = { id: string; isNew: boolean }

/** Logs an activity of another module. Follows merges; returns the existing activity of an `external_id` such as `survey:1`. */
export async function logActivity(
  tx: TenantTx,
  actor: Actor,
  { kind, id }: TimelineRef,
  input: ActivityInput,
  services: Pick<Services, 'clock'>,
): Promise<LoggedActivity> {
  const { source = 'system', external_id } = input
  const findExisting = () => (external_id ? findActivityId(tx, source, external_id) : undefined)
  const known = await findExisting()
  if (known) return { id: known, isNew: false }
  const survivingId = await findSurvivingId(tx, kind, id)
  const create = () => createActivity(tx, actor, { kind, id: survivingId ?? id }, { ...input, source }, services)
  try {
    const activity = await (external_id ? withSavepoint(tx, create) : create())
    return { id: activity.id, isNew: true }
  } catch (error) {
    const existing = error instanceof AppError && error.code === 'already_exists' ? await findExisting() : undefined
    if (!existing) throw error
    return { id: existing, isNew: false }
  }
}
