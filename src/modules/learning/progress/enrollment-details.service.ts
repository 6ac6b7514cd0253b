import { findUserNames, toUserReference } from '#modules/identity'
import { type ContentTime, listContentTimes, listMediaDurations } from '#modules/library'
import type { TenantTx } from '#platform/db'
import { type AttemptSummary, listNewestAttempts } from '../quizzes/attempts.queries.ts'
import type { OwnedQuestion } from '../quizzes/question-spec.ts'
import { listQuestionsOfModules } from '../quizzes/questions.queries.ts'
import type { EnrollmentModuleRow, EnrollmentRow } from '../records/enrollment-row.ts'
import { listEnrollmentModules } from '../records/enrollments.queries.ts'
import type { ModuleRow } from '../records/module-row.ts'
import { listModulesByIds } from '../records/modules.queries.ts'
import { listPathsIncludingDeleted } from '../records/paths.queries.ts'
import type { EnrollmentDetails, EnrollmentModule } from './enrollment.schemas.ts'
import { listOpenPrerequisites } from './prerequisites.queries.ts'
import { presentEnrollments } from './present-enrollment.service.ts'
import {
  attemptsLeftOf,
  isOpen,
  type LockContext,
  listLockReasons,
  minSecondsOf,
  nextAttemptAt,
} from './progress.rules.ts'
import { orderQuestions, presentQuestions, requiresAttempt, seedOf } from './quiz-questions.rules.ts'

type Names = Map<string, string>
type Shown = {
  context: LockContext
  names: Names
  times: readonly ContentTime[]
  durations: ReadonlyMap<string, number>
  attempts: readonly AttemptSummary[]
  questions: readonly OwnedQuestion[]
}

/** The enrollment as the learner and coaches see it: never with an answer of a quiz. */
export async function presentEnrollmentDetails(
  tx: TenantTx,
  enrollment: EnrollmentRow,
  { now }: { now: Date },
): Promise<EnrollmentDetails> {
  const rows = (await listEnrollmentModules(tx, [enrollment.id])).filter(({ state }) => state !== 'removed')
  const modules = await listModulesByIds(
    tx,
    rows.map(({ module_id }) => module_id),
  )
  const contentIds = modules.flatMap(({ content_item_id }) => content_item_id ?? [])
  const [[summary], [path], openPathIds, names, times, durations, attempts, questions] = await Promise.all([
    presentEnrollments(tx, [enrollment], { now }),
    listPathsIncludingDeleted(tx, [enrollment.path_id]),
    listOpenPrerequisites(tx, enrollment.path_id, enrollment.user_id),
    findUserNames(
      tx,
      rows.flatMap(({ reviewed_by }) => reviewed_by ?? []),
    ),
    listContentTimes(tx, enrollment.user_id, contentIds, enrollment.created_at),
    listMediaDurations(tx, contentIds),
    listNewestAttempts(tx, enrollment.id),
    listQuestionsOfModules(
      tx,
      modules.flatMap(({ id, quiz }) => (quiz && !requiresAttempt(quiz) ? [id] : [])),
    ),
  ])
  const context = { path: path!, enrollment, modules: rows, openPathIds, now }
  const shown = { context, names, times, durations, attempts, questions }
  const moduleOf = new Map(modules.map((module) => [module.id, module]))
  return {
    ...summary!,
    modules: rows.map((row) => presentModule(enrollment, row, moduleOf.get(row.module_id)!, shown)),
  }
}

function presentModule(
  enrollment: EnrollmentRow,
  row: EnrollmentModuleRow,
  module: ModuleRow,
  { context, names, times, durations, attempts, questions }: Shown,
): EnrollmentModule {
  const locked_by = listLockReasons(module, context)
  const locked = locked_by.length > 0
  const own = attempts.filter(({ module_id }) => module_id === row.module_id)
  const open = own.find(({ state }) => state === 'open')
  const last = own.find(({ state }) => state !== 'open')
  const time = times.find(({ item_id }) => item_id === module.content_item_id)
  const { quiz } = module
  const isAnswerable = quiz && !locked && !requiresAttempt(quiz) && isOpen(enrollment)
  const seed = seedOf({ ...row, number: row.attempts + 1 })
  return {
    module_id: row.module_id,
    position: row.position,
    title: module.title,
    kind: module.kind,
    is_required: row.is_required,
    description: module.description,
    estimated_minutes: module.estimated_minutes,
    state: row.state,
    score: row.score === null ? null : Number(row.score),
    completed_at: row.completed_at,
    locked,
    locked_by,
    content_item_id: module.content_item_id,
    body: locked ? null : module.body,
    min_seconds: minSecondsOf(module, durations.get(module.content_item_id ?? '')),
    min_progress: Number(module.min_progress),
    seen_seconds: row.state === 'completed' ? row.seconds : (time?.seconds ?? 0),
    seen_progress: time?.progress ?? 0,
    scenario_id: module.scenario_id,
    prompt_id: module.prompt_id,
    min_score: module.min_score,
    allow_voice: module.allow_voice,
    assignment: module.assignment,
    ...presentFeedback(row, names),
    quiz: quiz && { ...quiz, requires_attempt: requiresAttempt(quiz) },
    attempts: row.attempts,
    attempts_left: quiz && attemptsLeftOf(row, quiz),
    next_attempt_at: quiz && nextAttemptAt(last?.submitted_at ?? null, quiz, context.now),
    open_attempt: open ?? null,
    last_attempt: last
      ? {
          id: last.id,
          number: last.number,
          score: Number(last.score),
          passed: last.passed!,
          submitted_at: last.submitted_at!,
        }
      : null,
    questions: isAnswerable
      ? presentQuestions(orderQuestions(questionsOf(questions, module), quiz, seed), quiz, seed)
      : null,
  }
}

const questionsOf = (questions: readonly OwnedQuestion[], { id }: ModuleRow): OwnedQuestion[] =>
  questions.filter(({ module_id }) => module_id === id)

function presentFeedback({ submission, review, reviewed_by }: EnrollmentModuleRow, names: Names) {
  return {
    submission: submission && {
      text: submission.text ?? null,
      link: submission.link ?? null,
      submitted_at: new Date(submission.submitted_at),
    },
    review: review && {
      decision: review.decision,
      points: review.points,
      comment: review.comment,
      reviewer: toUserReference(names, reviewed_by),
      reviewed_at: new Date(review.reviewed_at),
    },
  }
}
