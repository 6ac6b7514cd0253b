import { isLiveEnrollment } from '../cadence-records/enrollment-states.rules.ts'
import type { EnrollmentRow, ExitReason } from '../cadence-records/enrollments.queries.ts'

/** Describes what the merge of a lead changed, so that it can be undone. */
export type MergeOrigin = {
  lead_id: string
  /** Set if the merge ended the enrollment. */
  ended?: { status: 'active' | 'paused'; paused_reason: string | null; paused_until: Date | null }
}
export type MergedEnrollment = EnrollmentRow & { merge_origins: MergeOrigin[] }

type Survivor = {
  id: string
  /** Set if the surviving person must not be enrolled, because the lead is converted or unqualified. */
  exitReason: ExitReason | null
  /** Cadences in which another person has a live enrollment with the email address of the survivor. */
  cadencesOfAddress: ReadonlySet<string>
}

export type EnrollmentMerge = {
  exits: { reason: ExitReason; ids: string[] }[]
  moved: MergedEnrollment[]
}

/** A live enrollment of a merged person ends if the survivor has one in the same cadence, otherwise it follows the person. */
export function planEnrollmentMerge(
  enrollments: readonly MergedEnrollment[],
  { id, exitReason, cadencesOfAddress }: Survivor,
): EnrollmentMerge {
  const isOfSurvivor = ({ lead_id, contact_id }: MergedEnrollment) => (lead_id ?? contact_id) === id
  const moved = enrollments.filter((one) => !isOfSurvivor(one))
  const taken = new Set(cadencesOfAddress)
  for (const one of enrollments) if (isOfSurvivor(one) && isLiveEnrollment(one)) taken.add(one.cadence_id)
  const ended: { id: string; reason: ExitReason }[] = []
  for (const { id: enrollmentId, cadence_id } of moved.filter(isLiveEnrollment)) {
    const reason = taken.has(cadence_id) ? 'merged' : exitReason
    if (reason) ended.push({ id: enrollmentId, reason })
    else taken.add(cadence_id)
  }
  const exits = [...Map.groupBy(ended, ({ reason }) => reason)].map(([reason, ofReason]) => ({
    reason,
    ids: ofReason.map((one) => one.id),
  }))
  return { exits, moved }
}

export function toMergeOrigin(enrollment: MergedEnrollment, exitedIds: ReadonlySet<string>): MergeOrigin {
  const { id, lead_id, status, paused_reason, paused_until } = enrollment
  if (!exitedIds.has(id)) return { lead_id: lead_id! }
  return { lead_id: lead_id!, ended: { status: status as 'active' | 'paused', paused_reason, paused_until } }
}
