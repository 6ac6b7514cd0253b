import type { TenantTx } from '#platform/db'
import { countDrawable } from '../learning-quizzes/draw-questions.rules.ts'
import type { OwnedQuestion } from '../learning-quizzes/question-spec.ts'
import { listActiveQuestionsOfBanks, listQuestionsOfModules } from '../learning-quizzes/questions.queries.ts'
import type { ModuleRow } from '../learning-records/module-row.ts'
import { listUsableIds } from './references.queries.ts'

export type PublishProblem = { module_id: string | null; message: string }

/** Lists what the modules lack to be published: questions, and published content, scenarios and prompts. */
export async function listModuleProblems(tx: TenantTx, modules: readonly ModuleRow[]): Promise<PublishProblem[]> {
  const idsOf = (column: 'content_item_id' | 'scenario_id' | 'prompt_id') =>
    modules.flatMap((module) => module[column] ?? [])
  const [usable, own, drawable] = await Promise.all([
    listUsableIds(tx, {
      contentIds: idsOf('content_item_id'),
      scenarioIds: idsOf('scenario_id'),
      promptIds: idsOf('prompt_id'),
    }),
    listQuestionsOfModules(
      tx,
      modules.filter(({ quiz }) => quiz).map(({ id }) => id),
    ),
    listActiveQuestionsOfBanks(tx, [...new Set(modules.flatMap(({ bank_ids }) => bank_ids))]),
  ])
  return modules.flatMap((module) => {
    const message = findProblem(module, { usable, own, drawable })
    return message ? [{ module_id: module.id, message: `${module.title}: ${message}` }] : []
  })
}

type Available = { usable: ReadonlySet<string>; own: readonly OwnedQuestion[]; drawable: readonly OwnedQuestion[] }

function findProblem(module: ModuleRow, { usable, own, drawable }: Available): string | undefined {
  const { id, kind, body, content_item_id, scenario_id, prompt_id, quiz } = module
  if (content_item_id !== null && !usable.has(content_item_id)) return 'the content item must be published.'
  switch (kind) {
    case 'content':
      return content_item_id || body ? undefined : 'a content item or a text is required.'
    case 'video':
      return content_item_id ? undefined : 'a content item is required.'
    case 'roleplay':
      return scenario_id && usable.has(scenario_id) ? undefined : 'a published scenario is required.'
    case 'pitch':
      return prompt_id && usable.has(prompt_id) ? undefined : 'an active pitch prompt is required.'
    case 'quiz': {
      const questions = own.filter(({ module_id, is_active }) => module_id === id && is_active).length
      if (!questions && !quiz!.draws.length) return 'the quiz needs a question.'
      const isShort = quiz!.draws.some((draw) => countDrawable(draw, drawable) < draw.count)
      return isShort ? 'the quiz draws more questions than a question bank has.' : undefined
    }
    default:
      return undefined
  }
}
