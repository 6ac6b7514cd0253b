import { filterPublishedScenarioIds } from '#modules/coaching'
import { filterPublishedItemIds } from '#modules/library'
import { filterActivePromptIds } from '#modules/pitches'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { canDraw } from '../quizzes/draw-questions.rules.ts'
import type { OwnedQuestion } from '../quizzes/question-spec.ts'
import { listActiveQuestionsOfBanks, listQuestionsOfModules } from '../quizzes/questions.queries.ts'
import { maxQuestions } from '../quizzes/questions.schemas.ts'
import type { ModuleRow } from '../records/module-row.ts'

export type PublishProblem = { module_id: string | null; message: string }

/** Lists what the modules lack to be published: questions, and published content, scenarios and prompts. */
export async function listModuleProblems(tx: TenantTx, modules: readonly ModuleRow[]): Promise<PublishProblem[]> {
  const idsOf = (column: 'content_item_id' | 'scenario_id' | 'prompt_id') =>
    modules.flatMap((module) => module[column] ?? [])
  const [itemIds, scenarioIds, promptIds, own, drawable] = await Promise.all([
    filterPublishedItemIds(tx, idsOf('content_item_id')),
    filterPublishedScenarioIds(tx, idsOf('scenario_id')),
    filterActivePromptIds(tx, idsOf('prompt_id')),
    listQuestionsOfModules(
      tx,
      modules.filter(({ quiz }) => quiz).map(({ id }) => id),
    ),
    listActiveQuestionsOfBanks(tx, [...new Set(modules.flatMap(({ bank_ids }) => bank_ids))]),
  ])
  return modules.flatMap((module) => {
    const message = findProblem(module, { itemIds, scenarioIds, promptIds, own, drawable })
    return message ? [{ module_id: module.id, message: `${module.title}: ${message}` }] : []
  })
}

/** A quiz has as many questions as a submission has answers. */
export async function assertQuizSize(tx: TenantTx, { id, quiz }: ModuleRow): Promise<void> {
  if (!quiz) return
  const own = (await listQuestionsOfModules(tx, [id])).filter(({ is_active }) => is_active).length
  const drawn = quiz.draws.reduce((sum, { count }) => sum + count, 0)
  if (own + drawn > maxQuestions)
    throw invalid(
      'body',
      '/quiz',
      'maxItems',
      `A quiz must not have more than ${maxQuestions} questions, drawn ones included.`,
    )
}

type Available = {
  itemIds: ReadonlySet<string>
  scenarioIds: ReadonlySet<string>
  promptIds: ReadonlySet<string>
  own: readonly OwnedQuestion[]
  drawable: readonly OwnedQuestion[]
}

function findProblem(
  module: ModuleRow,
  { itemIds, scenarioIds, promptIds, own, drawable }: Available,
): string | undefined {
  const { id, kind, body, content_item_id, scenario_id, prompt_id, quiz } = module
  if (content_item_id !== null && !itemIds.has(content_item_id)) return 'the content item must be published.'
  switch (kind) {
    case 'content':
      return content_item_id || body ? undefined : 'a content item or a text is required.'
    case 'video':
      return content_item_id ? undefined : 'a content item is required.'
    case 'roleplay':
      return scenario_id && scenarioIds.has(scenario_id) ? undefined : 'a published scenario is required.'
    case 'pitch':
      return prompt_id && promptIds.has(prompt_id) ? undefined : 'an active pitch prompt is required.'
    case 'quiz': {
      const questions = own.filter(({ module_id, is_active }) => module_id === id && is_active).length
      if (!questions && !quiz!.draws.length) return 'the quiz needs a question.'
      return canDraw(quiz!.draws, drawable) ? undefined : 'the quiz draws more questions than a question bank has.'
    }
    default:
      return undefined
  }
}
