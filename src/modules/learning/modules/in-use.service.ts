import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { lockPathsWithReference } from '../records/modules.queries.ts'

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
