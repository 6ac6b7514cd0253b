import { listTeamIdsOfUser } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { moduleAdded, moduleRemoved, moduleUpdated } from '../learning.events.ts'
import { storeQuestions } from '../quizzes/replace-questions.service.ts'
import { assertAuthor } from '../records/learning-access.rules.ts'
import type { ModuleRow } from '../records/module-row.ts'
import {
  findLowestPosition,
  insertModule,
  listModulesOfPath,
  storeModuleOrder,
  updateModuleRow,
} from '../records/modules.queries.ts'
import type { PathRow } from '../records/path-row.ts'
import { lockPath, updatePathRow } from '../records/paths.queries.ts'
import { applyAddedModule, applyChangedModules, applyRemovedModule } from './apply-modules.service.ts'
import { countOpenEnrollments, hasEnrollments } from './module-enrollments.queries.ts'
import { assertPrerequisites, lockBanksOf, lockReferences } from './module-references.service.ts'
import {
  assertFieldsOfKind,
  assertKindComplete,
  completeAssignment,
  completeQuiz,
  emptyKindFields,
  maxModules,
} from './modules.rules.ts'
import type { Module, ModuleChanges, NewModule } from './modules.schemas.ts'
import { presentModules } from './present-module.service.ts'
import { assertQuizSize, listModuleProblems } from './publish-problems.service.ts'

const questionsPath = '/quiz/questions'

async function lockPathOfAuthor(tx: TenantTx, actor: UserActor, pathId: string): Promise<PathRow> {
  const path = await lockPath(tx, pathId)
  assertAuthor(path, actor, await listTeamIdsOfUser(tx, actor.userId))
  return path
}

const presentForAuthor = async (tx: TenantTx, module: ModuleRow): Promise<Module> =>
  (await presentModules(tx, [module], { isAuthor: true }))[0]!

export async function createModule(
  tx: TenantTx,
  actor: UserActor,
  pathId: string,
  { apply_to = 'open', position, quiz, assignment, kind, ...input }: NewModule,
): Promise<Module> {
  const given = { quiz, assignment, ...input }
  assertFieldsOfKind(kind, given)
  await lockReferences(tx, given)
  const path = await lockPathOfAuthor(tx, actor, pathId)
  await lockBanksOf(tx, given)
  const modules = await listModulesOfPath(tx, pathId)
  if (modules.length >= maxModules)
    throw conflict('too_many_modules', `A path can have ${maxModules} modules.`, { limit: maxModules })
  const id = newId()
  const fields = {
    ...emptyKindFields(kind),
    ...input,
    kind,
    assignment: assignment ? completeAssignment(assignment) : null,
    quiz: kind === 'quiz' ? completeQuiz(quiz ?? {}, null) : null,
  }
  assertKindComplete(toSubstance(fields))
  assertPrerequisites(modules, { id, prerequisite_module_ids: input.prerequisite_module_ids ?? [] })
  const inserted = await insertModule(tx, { ...toStored(fields), id, path_id: pathId, position: modules.length + 1 })
  if (quiz?.questions) await storeQuestions(tx, { module_id: id }, quiz.questions, { path: questionsPath })
  await assertQuizSize(tx, inserted)
  if (path.status === 'published') await assertComplete(tx, inserted)
  const module = await moveModule(tx, modules, inserted, position)
  if (await isInUse(tx, path)) {
    const changed = await updatePathRow(tx, pathId, { revision: path.revision + 1 })
    await applyAddedModule(tx, { path: changed, module, appliesTo: apply_to })
  }
  await recordAudit(tx, 'learning_path.module_added', { id: pathId, label: path.title, after: toAudited(module) })
  await emit(tx, moduleAdded, path, { module_id: id, kind })
  return await presentForAuthor(tx, module)
}

type Fields = Omit<Partial<ModuleRow>, 'min_progress' | 'unlock_at'> & {
  min_progress?: string | number
  unlock_at?: Date | string | null
}

const toSubstance = (fields: object) => fields as Parameters<typeof assertKindComplete>[0]

/** JSON columns are written as text, and the banks of a quiz are copied. */
const toStored = ({ quiz, assignment, ...fields }: Fields) =>
  ({
    ...fields,
    ...(quiz !== undefined && {
      quiz: quiz && JSON.stringify(quiz),
      bank_ids: [...new Set(quiz?.draws.map(({ bank_id }) => bank_id))],
    }),
    ...(assignment !== undefined && { assignment: assignment && JSON.stringify(assignment) }),
  }) as unknown as Parameters<typeof insertModule>[1]

const toAudited = ({ id, ...module }: ModuleRow) => ({ ...module, module_id: id })

async function assertComplete(tx: TenantTx, module: ModuleRow): Promise<void> {
  const problems = await listModuleProblems(tx, [module])
  if (problems.length) throw conflict('not_publishable', problems[0]!.message, { problems })
}

/** Puts a module at a position; the others keep their order. */
async function moveModule(
  tx: TenantTx,
  modules: readonly ModuleRow[],
  module: ModuleRow,
  position: number | undefined,
): Promise<ModuleRow> {
  if (position === undefined || position === module.position) return module
  const ids = modules.map(({ id }) => id).filter((id) => id !== module.id)
  ids.splice(position - 1, 0, module.id)
  await storeModuleOrder(tx, ids)
  return { ...module, position: ids.indexOf(module.id) + 1 }
}

type ModuleIds = { pathId: string; moduleId: string }
type UpdateInput = { changes: ModuleChanges; expectedVersion?: number }

/** Attempts keep their questions. Titles and texts reach all enrollments, order and `is_required` the open ones. */
export async function updateModule(
  tx: TenantTx,
  actor: UserActor,
  { pathId, moduleId }: ModuleIds,
  { changes, expectedVersion }: UpdateInput,
): Promise<Module> {
  await lockReferences(tx, changes)
  const path = await lockPathOfAuthor(tx, actor, pathId)
  await lockBanksOf(tx, changes)
  const modules = await listModulesOfPath(tx, pathId)
  const before = modules.find(({ id }) => id === moduleId)
  if (!before) throw notFound('module')
  assertVersion(before, expectedVersion)
  const { questions } = changes.quiz ?? {}
  const fields = await readChanges(tx, path, before, changes)
  assertKindComplete(toSubstance({ ...before, ...fields }))
  const changed = { ...before, ...fields } as ModuleRow
  if (fields.prerequisite_module_ids) assertPrerequisites(modules, changed)
  await assertStaysRequired(tx, path, modules, { before, after: changed })
  const stored = Object.keys(fields).length ? await updateModuleRow(tx, moduleId, toStored(fields)) : before
  if (questions) await storeQuestions(tx, { module_id: moduleId }, questions, { path: questionsPath })
  if (changes.quiz) await assertQuizSize(tx, stored)
  if (path.status === 'published') await assertComplete(tx, stored)
  const module = await moveModule(tx, modules, stored, changes.position)
  const isReordered = module.position !== before.position
  if (!Object.keys(fields).length && !questions && !isReordered) return await presentForAuthor(tx, before)
  if (isReordered || module.is_required !== before.is_required) await applyChangedModules(tx, path)
  await recordAudit(tx, 'learning_path.module_updated', {
    id: pathId,
    label: path.title,
    before: toAudited(before),
    after: { ...toAudited(module), ...(questions && { questions: questions.length }) },
  })
  await emit(tx, moduleUpdated, path, { module_id: moduleId, kind: module.kind })
  return await presentForAuthor(tx, module)
}

async function readChanges(
  tx: TenantTx,
  path: PathRow,
  before: ModuleRow,
  { quiz, assignment, position: _, kind = before.kind, ...requested }: ModuleChanges,
): Promise<Fields> {
  assertFieldsOfKind(kind, { quiz, assignment, ...requested })
  const isOtherKind = kind !== before.kind
  if (isOtherKind) await assertKindMayChange(tx, path)
  const base = isOtherKind ? emptyKindFields(kind) : {}
  const currentQuiz = isOtherKind ? null : before.quiz
  return changedFields(before as object, {
    ...base,
    ...requested,
    kind,
    ...(requested.min_progress !== undefined && { min_progress: requested.min_progress.toFixed(4) }),
    ...(assignment && { assignment: completeAssignment(assignment) }),
    ...((quiz || (isOtherKind && kind === 'quiz')) && { quiz: completeQuiz(quiz ?? {}, currentQuiz) }),
  }) as Fields
}

async function assertKindMayChange(tx: TenantTx, { id, status }: PathRow): Promise<void> {
  if (status !== 'draft' || (await hasEnrollments(tx, id)))
    throw conflict('in_use', 'The kind of a module cannot change after users were enrolled or the path was published.')
}

/** Whether learners have or can get the modules. A path that was published before has enrollments as a draft, too. */
const isInUse = async (tx: TenantTx, { id, status }: PathRow): Promise<boolean> =>
  status !== 'draft' || (await hasEnrollments(tx, id))

type Change = { before: ModuleRow; after: ModuleRow | undefined }

async function assertStaysRequired(
  tx: TenantTx,
  path: PathRow,
  modules: readonly ModuleRow[],
  { before, after }: Change,
): Promise<void> {
  if (!before.is_required || after?.is_required) return
  if (modules.some(({ id, is_required }) => is_required && id !== before.id)) return
  if (path.status === 'published' || (await countOpenEnrollments(tx, path.id)) > 0)
    throw conflict('last_required_module', 'Learners need a required module. Add another one first.')
}

/** Attempts and submissions of learners stay. */
export async function deleteModule(
  tx: TenantTx,
  actor: UserActor,
  { pathId, moduleId }: ModuleIds,
  { expectedVersion, now }: { expectedVersion?: number; now: Date },
): Promise<void> {
  const path = await lockPathOfAuthor(tx, actor, pathId)
  const modules = await listModulesOfPath(tx, pathId)
  const module = modules.find(({ id }) => id === moduleId)
  if (!module) throw notFound('module')
  assertVersion(module, expectedVersion)
  await assertStaysRequired(tx, path, modules, { before: module, after: undefined })
  const lowest = await findLowestPosition(tx, pathId)
  await updateModuleRow(tx, moduleId, { removed_at: now, position: Math.min(lowest, 0) - 1 })
  await storeModuleOrder(
    tx,
    modules.filter(({ id }) => id !== moduleId).map(({ id }) => id),
  )
  if (await isInUse(tx, path)) {
    const changed = await updatePathRow(tx, pathId, { revision: path.revision + 1 })
    await applyRemovedModule(tx, changed, module)
  }
  await recordAudit(tx, 'learning_path.module_removed', { id: pathId, label: path.title, before: toAudited(module) })
  await emit(tx, moduleRemoved, path, { module_id: moduleId, kind: module.kind })
}
