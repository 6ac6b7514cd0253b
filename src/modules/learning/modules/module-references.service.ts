import { lockScenarioShared } from '#modules/coaching'
import { lockVisibleItem } from '#modules/library'
import { lockPromptOfModule } from '#modules/pitches'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, unknownReference } from '#platform/errors'
import { lockBanksShared } from '../quizzes/banks.queries.ts'
import type { ModuleRow } from '../records/module-row.ts'
import { lockPathsWithReference } from '../records/modules.queries.ts'
import { hasCycle } from './modules.rules.ts'
import type { ModuleChanges } from './modules.schemas.ts'

/** Locks what the input refers to, before the path, so that it cannot be deleted while a module gets it. */
export async function lockReferences(
  tx: TenantTx,
  { content_item_id, scenario_id, prompt_id }: ModuleChanges,
): Promise<void> {
  if (content_item_id && !(await lockVisibleItem(tx, content_item_id)))
    throw unknownReference('/content_item_id', 'content item')
  if (scenario_id && !(await lockScenarioShared(tx, scenario_id))) throw unknownReference('/scenario_id', 'scenario')
  if (prompt_id && !(await lockPromptOfModule(tx, prompt_id))) throw unknownReference('/prompt_id', 'pitch prompt')
}

/** The path must be locked; banks come after it. */
export async function lockBanksOf(tx: TenantTx, { quiz }: ModuleChanges): Promise<void> {
  const draws = quiz?.draws ?? []
  if (!draws.length) return
  const banks = await lockBanksShared(
    tx,
    draws.map(({ bank_id }) => bank_id),
  )
  const unknown = draws.findIndex(({ bank_id }) => !banks.has(bank_id))
  if (unknown >= 0) throw unknownReference(`/quiz/draws/${unknown}/bank_id`, 'question bank')
}

type Prerequisites = Pick<ModuleRow, 'id' | 'prerequisite_module_ids'>

/** Prerequisites are other modules of the path and do not lead back to the module. */
export function assertPrerequisites(modules: readonly Prerequisites[], changed: Prerequisites): void {
  const others = modules.filter(({ id }) => id !== changed.id)
  const unknown = changed.prerequisite_module_ids.findIndex(
    (id) => id !== changed.id && !others.some((module) => module.id === id),
  )
  if (unknown >= 0) throw unknownReference(`/prerequisite_module_ids/${unknown}`, 'module of the path')
  const records = [...others, changed].map((module) => ({
    id: module.id,
    prerequisite_ids: module.prerequisite_module_ids,
  }))
  if (hasCycle(records, changed.id))
    throw invalid('body', '/prerequisite_module_ids', 'cycle', 'A module must not be its own prerequisite.')
}

const maxReferences = 20

type Column = 'content_item_id' | 'scenario_id' | 'prompt_id'

/** Throws if a published path has a module of the record, which its learners would need. */
const assertUnusedBy =
  (column: Column) =>
  async (tx: TenantTx, { id }: { id: string }): Promise<void> => {
    const paths = await lockPathsWithReference(tx, { column, id }, maxReferences)
    if (paths.length)
      throw conflict('in_use', 'Published learning paths use this record. Change or archive them first.', {
        references: paths.map((path) => ({ id: path.id, title: path.title, type: 'learning_path' })),
      })
  }

export const assertContentUnused = assertUnusedBy('content_item_id')
export const assertScenarioUnused = assertUnusedBy('scenario_id')
export const assertPromptUnused = assertUnusedBy('prompt_id')
