import { findUserNames, toUserReference } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type Page, type TenantTx, violatedConstraint, withSavepoint } from '#platform/db'
import { assertVersion, conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import type { PageQuery } from '#platform/schema'
import { bankCreated, bankDeleted, bankUpdated } from '../learning.events.ts'
import {
  type BankRow,
  deleteBankRow,
  findBankIdByName,
  getBank,
  insertBank,
  listBankRows,
  listPathsOfBank,
  lockBank,
  updateBankRow,
} from './banks.queries.ts'
import type { Bank, BankSummary, NewBank } from './banks.schemas.ts'
import type { StoredQuestion } from './question-spec.ts'
import { countQuestionsOfBanks, listQuestions } from './questions.queries.ts'
import { presentQuestion } from './questions.rules.ts'
import { storeQuestions } from './replace-questions.service.ts'

const maxReferences = 20
const path = '/questions'

export async function listQuestionBanks(tx: TenantTx, query: PageQuery): Promise<Page<BankSummary>> {
  const page = await listBankRows(tx, query)
  const [counts, owners] = await Promise.all([
    countQuestionsOfBanks(
      tx,
      page.items.map(({ id }) => id),
    ),
    findUserNames(
      tx,
      page.items.flatMap(({ owner_id }) => owner_id ?? []),
    ),
  ])
  const items = page.items.map((bank) => ({
    ...bank,
    owner: toUserReference(owners, bank.owner_id),
    question_count: counts.get(bank.id) ?? 0,
  }))
  return { ...page, items }
}

export async function getQuestionBank(tx: TenantTx, id: string): Promise<Bank> {
  const bank = await getBank(tx, id)
  return await presentBank(tx, bank, await listQuestions(tx, { bank_id: id }))
}

async function presentBank(tx: TenantTx, bank: BankRow, questions: readonly StoredQuestion[]): Promise<Bank> {
  const owners = await findUserNames(tx, bank.owner_id ? [bank.owner_id] : [])
  return {
    ...bank,
    owner: toUserReference(owners, bank.owner_id),
    question_count: questions.length,
    questions: questions.map(presentQuestion),
  }
}

export async function createQuestionBank(
  tx: TenantTx,
  actor: UserActor,
  { questions, ...input }: NewBank,
): Promise<Bank> {
  const bank = await uniquely(tx, input.name, () => insertBank(tx, { ...input, id: newId(), owner_id: actor.userId }))
  const stored = await storeQuestions(tx, { bank_id: bank.id }, questions, { path })
  await recordAudit(tx, 'question_bank.created', { id: bank.id, label: bank.name, after: toAudited(bank, stored) })
  await emit(tx, bankCreated, bank, { name: bank.name })
  return await presentBank(tx, bank, stored)
}

const toAudited = (bank: BankRow, questions: readonly StoredQuestion[]) => ({ ...bank, questions: questions.length })

type ReplaceInput = { bank: NewBank; expectedVersion?: number }

/** Replaces name, topic and all questions. Attempts keep their copies. */
export async function replaceQuestionBank(
  tx: TenantTx,
  id: string,
  { bank: { questions, name, topic = null }, expectedVersion }: ReplaceInput,
): Promise<Bank> {
  const before = await lockBank(tx, id)
  assertVersion(before, expectedVersion)
  const replaced = await listQuestions(tx, { bank_id: id })
  const bank = await uniquely(tx, name, () => updateBankRow(tx, id, { name, topic }))
  const stored = await storeQuestions(tx, { bank_id: id }, questions, { path })
  await recordAudit(tx, 'question_bank.updated', {
    id,
    label: name,
    before: toAudited(before, replaced),
    after: toAudited(bank, stored),
  })
  await emit(tx, bankUpdated, bank, { questions: stored.length })
  return await presentBank(tx, bank, stored)
}

export async function deleteQuestionBank(
  tx: TenantTx,
  id: string,
  { expectedVersion }: { expectedVersion?: number },
): Promise<void> {
  const bank = await lockBank(tx, id)
  assertVersion(bank, expectedVersion)
  const paths = await listPathsOfBank(tx, id, maxReferences)
  if (paths.length)
    throw conflict('in_use', 'Quizzes of published paths draw from this question bank. Change them first.', {
      references: paths.map((used) => ({ ...used, type: 'learning_path' })),
    })
  await deleteBankRow(tx, id)
  await recordAudit(tx, 'question_bank.deleted', { id, label: bank.name, before: bank })
  await emit(tx, bankDeleted, bank, {})
}

/** The unique index decides about names, also of concurrent requests. */
async function uniquely<T>(tx: TenantTx, name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await withSavepoint(tx, write)
  } catch (error) {
    if (violatedConstraint(error) !== 'question_banks_name_unique') throw error
    throw conflict('already_exists', 'A question bank with this name already exists.', {
      existing_id: await findBankIdByName(tx, name),
    })
  }
}
