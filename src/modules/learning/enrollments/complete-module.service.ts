import { findPassedRoleplay } from '#modules/coaching'
import { listContentTimes, listMediaDurations } from '#modules/library'
import { findApprovedPitch } from '#modules/pitches'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import type { EnrollmentDetails } from '../progress/enrollment.schemas.ts'
import {
  assertOpen,
  assertUnlocked,
  getOwnModule,
  lockOwnEnrollment,
  type OwnModule,
  type VisibleEnrollment,
} from '../progress/enrollment-access.service.ts'
import { presentEnrollmentDetails } from '../progress/enrollment-details.service.ts'
import { isDone, minSecondsOf } from '../progress/progress.rules.ts'
import { notifySubmitted } from '../progress/progress-notifications.ts'
import { type ModuleChange, recordModule } from '../progress/record-progress.service.ts'
import type { EnrollmentRow } from '../records/enrollment-row.ts'
import type { ModuleRow } from '../records/module-row.ts'
import type { Completion } from './enrollments.schemas.ts'

/** Completes a module of the caller if the tracked time, the practice or the submission allows it. */
export async function completeModule(
  tx: TenantTx,
  actor: UserActor,
  enrollmentId: string,
  { completion, now }: { completion: Completion; now: Date },
): Promise<EnrollmentDetails> {
  const visible = await lockOwnEnrollment(tx, actor, enrollmentId)
  const own = await getOwnModule(tx, visible.enrollment, completion.module_id)
  if (isDone(own.row)) return await presentEnrollmentDetails(tx, visible.enrollment, { now })
  assertOpen(visible.enrollment)
  await assertUnlocked(tx, visible, own, now)
  const change = await readChange(tx, visible, own, { completion, now })
  const updated = await recordModule(tx, { ...visible, now }, own.row, change)
  if (change.state === 'submitted') await notifySubmitted(tx, updated, visible.path)
  return await presentEnrollmentDetails(tx, updated, { now })
}

type Input = { completion: Completion; now: Date }

async function readChange(
  tx: TenantTx,
  { enrollment }: VisibleEnrollment,
  { row, module }: OwnModule,
  { completion: { submission }, now }: Input,
): Promise<ModuleChange> {
  if (submission && module.kind !== 'assignment')
    throw invalid('body', '/submission', 'not_allowed', '`submission` is only allowed for assignments.')
  const completed = { state: 'completed', completed_at: now } as const
  switch (module.kind) {
    case 'quiz':
      throw conflict('use_submit_quiz', 'A quiz is completed by its answers. Send them to `submit-quiz`.')
    case 'assignment':
      return submitAssignment(module, row.state, { submission, now })
    case 'roleplay':
    case 'pitch':
      return { ...completed, score: await readPracticeScore(tx, enrollment, module) }
    default:
      return { ...completed, seconds: await readSeconds(tx, enrollment, module) }
  }
}

function submitAssignment(
  { assignment }: ModuleRow,
  state: string,
  { submission, now }: { submission: Completion['submission']; now: Date },
): ModuleChange {
  if (state === 'submitted' || state === 'failed')
    throw conflict('already_submitted', 'The assignment was submitted before. Wait for its review or a reset.')
  const { requires } = assignment!
  if (requires !== 'link' && !submission?.text)
    throw invalid('body', '/submission/text', 'required', '`submission.text` is required for this assignment.')
  if (requires !== 'text' && !submission?.link)
    throw invalid('body', '/submission/link', 'required', '`submission.link` is required for this assignment.')
  return { state: 'submitted', submission: JSON.stringify({ ...submission, submitted_at: now }) }
}

/** Only the views count that the server tracked since the enrollment. */
async function readSeconds(tx: TenantTx, { user_id, created_at }: EnrollmentRow, module: ModuleRow): Promise<number> {
  const contentIds = module.content_item_id ? [module.content_item_id] : []
  const [[time], durations] = await Promise.all([
    listContentTimes(tx, user_id, contentIds, created_at),
    listMediaDurations(tx, contentIds),
  ])
  const { seconds = 0, progress = 0 } = time ?? {}
  const neededSeconds = minSecondsOf(module, durations.get(module.content_item_id ?? ''))
  const neededProgress = Number(module.min_progress)
  if (seconds < neededSeconds || progress < neededProgress)
    throw conflict('minimum_not_met', 'The content was not read or watched long enough since the enrollment.', {
      needed: neededSeconds,
      seen: seconds,
      needed_progress: neededProgress,
      seen_progress: progress,
    })
  return seconds
}

export async function findPracticeScore(
  tx: TenantTx,
  { user_id, created_at }: EnrollmentRow,
  { scenario_id, prompt_id, min_score, allow_voice }: ModuleRow,
): Promise<number | undefined> {
  const practice = { userId: user_id, since: created_at, minScore: min_score }
  const passed = scenario_id
    ? await findPassedRoleplay(tx, scenario_id, { ...practice, allowsVoice: allow_voice })
    : prompt_id
      ? await findApprovedPitch(tx, prompt_id, practice)
      : undefined
  return passed?.score
}

async function readPracticeScore(tx: TenantTx, enrollment: EnrollmentRow, module: ModuleRow): Promise<number> {
  const score = await findPracticeScore(tx, enrollment, module)
  if (score !== undefined) return score
  throw conflict(
    'requirement_not_met',
    module.kind === 'roleplay'
      ? 'The module needs a passed roleplay since the enrollment that is not private.'
      : 'The module needs an approved pitch since the enrollment.',
  )
}
