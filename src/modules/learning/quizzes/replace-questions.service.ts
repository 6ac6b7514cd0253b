import type { TenantTx } from '#platform/db'
import { invalidInput, unknownReference } from '#platform/errors'
import type { StoredQuestion } from './question-spec.ts'
import { listQuestions, replaceQuestions } from './questions.queries.ts'
import { listQuestionProblems, toStoredQuestion } from './questions.rules.ts'
import type { NewQuestion } from './questions.schemas.ts'

type Owner = { module_id: string } | { bank_id: string }

/** Replaces all questions. One with the id of an existing question keeps it. The module or bank must be locked. */
export async function storeQuestions(
  tx: TenantTx,
  owner: Owner,
  questions: readonly NewQuestion[],
  { path }: { path: string },
): Promise<StoredQuestion[]> {
  const problems = listQuestionProblems(questions, path)
  if (problems.length) throw invalidInput(problems)
  const existing = new Map((await listQuestions(tx, owner)).map((question) => [question.id, question]))
  const unknown = questions.findIndex(({ id }) => id !== undefined && !existing.has(id))
  if (unknown >= 0) throw unknownReference(`${path}/${unknown}/id`, 'question of this list')
  const stored = questions.map((question, index) =>
    toStoredQuestion(question, { position: index + 1, existing: question.id ? existing.get(question.id) : undefined }),
  )
  await replaceQuestions(tx, owner, stored)
  return stored
}
