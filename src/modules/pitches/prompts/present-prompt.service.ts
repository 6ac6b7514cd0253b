import { findUserNames, toUserReference } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { listAssignmentsOfUser } from './assignments.queries.ts'
import type { PromptRow } from './prompt-row.ts'
import { presentCriteria } from './prompts.rules.ts'
import type { Prompt } from './prompts.schemas.ts'
import { listTakes } from './takes.queries.ts'

type PromptViewer = { userId: string | null; isAuthor(prompt: PromptRow): boolean }

export async function presentPrompts(
  tx: TenantTx,
  rows: readonly PromptRow[],
  { userId, isAuthor }: PromptViewer,
): Promise<Prompt[]> {
  const ids = rows.map(({ id }) => id)
  const [takes, assignments, owners] = await Promise.all([
    userId === null ? [] : listTakes(tx, userId, ids),
    userId === null ? [] : listAssignmentsOfUser(tx, userId, ids),
    findUserNames(
      tx,
      rows.flatMap(({ owner_id }) => owner_id ?? []),
    ),
  ])
  return rows.map(({ criteria, ...row }) => {
    const own = takes.find(({ prompt_id }) => prompt_id === row.id)
    const assignment = assignments.find(({ prompt_id }) => prompt_id === row.id)
    return {
      ...row,
      criteria: presentCriteria(criteria, { isAuthor: isAuthor({ ...row, criteria }) }),
      owner: toUserReference(owners, row.owner_id),
      takes: own?.takes ?? 0,
      best_score: own?.best_score ?? null,
      due_on: assignment?.due_on ?? null,
      assignment_status: assignment?.status ?? null,
    }
  })
}
