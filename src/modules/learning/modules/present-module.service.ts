import { listMediaDurations } from '#modules/library'
import type { TenantTx } from '#platform/db'
import { minSecondsOf } from '../progress/progress.rules.ts'
import type { OwnedQuestion } from '../quizzes/question-spec.ts'
import { listQuestionsOfModules } from '../quizzes/questions.queries.ts'
import { presentQuestion } from '../quizzes/questions.rules.ts'
import type { ModuleRow } from '../records/module-row.ts'
import type { Module } from './modules.schemas.ts'

/** Authors get all fields and the answers of quizzes; other users titles and counts. */
export async function presentModules(
  tx: TenantTx,
  modules: readonly ModuleRow[],
  { isAuthor }: { isAuthor: boolean },
): Promise<Module[]> {
  const quizzes = modules.filter(({ quiz }) => quiz).map(({ id }) => id)
  const contentIds = isAuthor ? modules.flatMap(({ content_item_id }) => content_item_id ?? []) : []
  const [questions, durations] = await Promise.all([
    quizzes.length ? listQuestionsOfModules(tx, quizzes) : [],
    listMediaDurations(tx, contentIds),
  ])
  return modules.map((module) => {
    const own = questions.filter(({ module_id }) => module_id === module.id)
    const duration = durations.get(module.content_item_id ?? '')
    return { ...presentSummary(module, own), ...(isAuthor && presentDetails(module, own, duration)) }
  })
}

function presentSummary(module: ModuleRow, questions: readonly OwnedQuestion[]) {
  const { id, path_id, position, title, kind, is_required, description, estimated_minutes, quiz } = module
  const { created_at, updated_at, version } = module
  const drawn = quiz?.draws.reduce((sum, { count }) => sum + count, 0) ?? 0
  const active = questions.filter(({ is_active }) => is_active).length
  return {
    id,
    path_id,
    position,
    title,
    kind,
    is_required,
    description,
    estimated_minutes,
    question_count: quiz ? active + drawn : null,
    created_at,
    updated_at,
    version,
  }
}

function presentDetails(module: ModuleRow, questions: readonly OwnedQuestion[], duration: number | undefined) {
  return {
    prerequisite_module_ids: module.prerequisite_module_ids,
    unlock_after_days: module.unlock_after_days,
    unlock_at: module.unlock_at,
    content_item_id: module.content_item_id,
    body: module.body,
    min_seconds: minSecondsOf(module, duration),
    min_progress: Number(module.min_progress),
    quiz: module.quiz && { ...module.quiz, questions: questions.map(presentQuestion) },
    assignment: module.assignment,
    scenario_id: module.scenario_id,
    prompt_id: module.prompt_id,
    min_score: module.min_score,
    allow_voice: module.allow_voice,
  }
}
