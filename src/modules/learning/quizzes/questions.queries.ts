import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import type { OwnedQuestion, StoredQuestion } from './question-spec.ts'

type Owner = { module_id: string } | { bank_id: string }

const questionColumns = [
  'id',
  'kind',
  'text',
  'points',
  'topic',
  'explanation',
  'is_active',
  'position',
  'spec',
] as const

const ownerOf = (owner: Owner) =>
  'module_id' in owner ? { module_id: owner.module_id, bank_id: null } : { module_id: null, bank_id: owner.bank_id }

export async function listQuestions(tx: TenantTx, owner: Owner): Promise<StoredQuestion[]> {
  const [column, id] =
    'module_id' in owner ? (['module_id', owner.module_id] as const) : (['bank_id', owner.bank_id] as const)
  return await tx
    .selectFrom('enablement.quiz_questions')
    .select(questionColumns)
    .where(column, '=', id)
    .orderBy('position')
    .$castTo<StoredQuestion>()
    .execute()
}

export const listQuestionsOfModules = (tx: TenantTx, moduleIds: readonly string[]): Promise<OwnedQuestion[]> =>
  tx
    .selectFrom('enablement.quiz_questions')
    .select([...questionColumns, 'module_id', 'bank_id'])
    .where('module_id', '=', sql<string>`any(${moduleIds}::uuid[])`)
    .orderBy('module_id')
    .orderBy('position')
    .$castTo<OwnedQuestion>()
    .execute()

export const listActiveQuestionsOfBanks = (tx: TenantTx, bankIds: readonly string[]): Promise<OwnedQuestion[]> =>
  tx
    .selectFrom('enablement.quiz_questions')
    .select([...questionColumns, 'module_id', 'bank_id'])
    .where('bank_id', '=', sql<string>`any(${bankIds}::uuid[])`)
    .where('is_active', '=', true)
    .orderBy('bank_id')
    .orderBy('position')
    .$castTo<OwnedQuestion>()
    .execute()

export async function countQuestionsOfBanks(tx: TenantTx, bankIds: readonly string[]): Promise<Map<string, number>> {
  const counts = await tx
    .selectFrom('enablement.quiz_questions')
    .select(['bank_id', sql<number>`count(*)::int`.as('questions')])
    .where('bank_id', '=', sql<string>`any(${bankIds}::uuid[])`)
    .groupBy('bank_id')
    .execute()
  return new Map(counts.map(({ bank_id, questions }) => [bank_id!, questions]))
}

/** Questions are copied into attempts, so replaced ones can be deleted. The module or bank must be locked. */
export async function replaceQuestions(
  tx: TenantTx,
  owner: Owner,
  questions: readonly StoredQuestion[],
): Promise<void> {
  const [column, id] =
    'module_id' in owner ? (['module_id', owner.module_id] as const) : (['bank_id', owner.bank_id] as const)
  await tx.deleteFrom('enablement.quiz_questions').where(column, '=', id).execute()
  const inserted = questions.map((question) => ({ ...question, ...ownerOf(owner) }))
  const { columns, rows } = selectRows(inserted, {
    id: 'uuid',
    kind: 'text',
    text: 'text',
    points: 'integer',
    topic: 'text',
    explanation: 'text',
    is_active: 'boolean',
    position: 'integer',
    spec: 'jsonb',
    module_id: 'uuid',
    bank_id: 'uuid',
  })
  await tx.insertInto('enablement.quiz_questions').columns(columns).expression(rows).execute()
}
