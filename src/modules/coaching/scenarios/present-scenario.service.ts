import { findUserNames, toReferenceOrNull, toUserReference } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { listPersonasByIds } from '../personas/personas.queries.ts'
import type { ScenarioRow } from './scenario-row.ts'
import { listAttempts } from './scenarios.queries.ts'
import { presentRubric } from './scenarios.rules.ts'
import type { Scenario } from './scenarios.schemas.ts'

export async function presentScenarios(
  tx: TenantTx,
  rows: readonly ScenarioRow[],
  { isAuthor, userId }: { isAuthor: boolean; userId: string | null },
): Promise<Scenario[]> {
  const ids = rows.map(({ id }) => id)
  const [attempts, owners, personas] = await Promise.all([
    userId === null ? [] : listAttempts(tx, userId, ids),
    findUserNames(
      tx,
      rows.flatMap(({ owner_id }) => owner_id ?? []),
    ),
    listPersonasByIds(
      tx,
      rows.flatMap(({ persona_id }) => persona_id ?? []),
    ),
  ])
  const personaNames = new Map(personas.map(({ id, name }) => [id, name]))
  return rows.map(({ deleted_at: _, rubric, buyer_context, ...row }) => ({
    ...row,
    attempts: attempts.find(({ scenario_id }) => scenario_id === row.id)?.attempts ?? 0,
    best_score: attempts.find(({ scenario_id }) => scenario_id === row.id)?.best_score ?? null,
    persona: toReferenceOrNull(personaNames, row.persona_id),
    buyer_context: isAuthor ? buyer_context : null,
    rubric: presentRubric(rubric, { isAuthor }),
    owner: toUserReference(owners, row.owner_id),
  }))
}
