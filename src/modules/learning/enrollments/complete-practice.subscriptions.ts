import { roleplayFinished } from '#events/coaching'
import { pitchReviewed } from '#events/pitches'
import { systemClock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { subscribe } from '#platform/outbox'
import { getOwnModule, readLockReasons } from '../progress/enrollment-access.service.ts'
import { isDone, isOpen } from '../progress/progress.rules.ts'
import { recordModule } from '../progress/record-progress.service.ts'
import { lockEnrollments } from '../records/enrollments.queries.ts'
import { listPathsIncludingDeleted } from '../records/paths.queries.ts'
import { findPracticeScore } from './complete-module.service.ts'
import { listEnrollmentsToComplete } from './enroll.queries.ts'

type Practiced = Parameters<typeof listEnrollmentsToComplete>[1]

/** Private roleplays have no event, and count nowhere. */
export const onRoleplayFinished = subscribe(
  roleplayFinished,
  'enablement.complete_roleplay_modules',
  async (tx, { data: { rep_id, scenario_id } }) => {
    if (scenario_id !== null) await completePracticeModules(tx, { userId: rep_id, scenarioId: scenario_id })
  },
)

export const onPitchReviewed = subscribe(
  pitchReviewed,
  'enablement.complete_pitch_modules',
  async (tx, { data: { user_id, prompt_id } }) => {
    if (prompt_id !== null) await completePracticeModules(tx, { userId: user_id, promptId: prompt_id })
  },
)

/** A locked module is not completed; the learner completes it when it is unlocked. */
async function completePracticeModules(tx: TenantTx, practiced: Practiced): Promise<void> {
  const now = systemClock.now()
  const due = await listEnrollmentsToComplete(tx, practiced)
  const enrollments = await lockEnrollments(
    tx,
    due.map(({ enrollment_id }) => enrollment_id),
  )
  for (const locked of enrollments) {
    const [path] = await listPathsIncludingDeleted(tx, [locked.path_id])
    let enrollment = locked
    for (const { module_id } of due.filter(({ enrollment_id }) => enrollment_id === locked.id)) {
      const own = await getOwnModule(tx, enrollment, module_id)
      if (!isOpen(enrollment) || isDone(own.row)) continue
      const score = await findPracticeScore(tx, enrollment, own.module)
      const reasons = await readLockReasons(tx, { enrollment, path: path! }, own, now)
      if (score === undefined || reasons.length) continue
      const change = { state: 'completed', completed_at: now, score } as const
      enrollment = await recordModule(tx, { enrollment, path: path!, now }, own.row, change)
    }
  }
}
