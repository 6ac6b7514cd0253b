import { assertAssignable, findTeamNames, listTeamIdsOfUser } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { acquireAdvisoryLock, type Page, type TenantTx, toSearchText } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, invalid, notFound, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { pathArchived, pathCreated, pathDeleted, pathPublished, pathUpdated } from '../learning.events.ts'
import { applyChangedModules } from '../modules/apply-modules.service.ts'
import { countOpenEnrollments, hasEnrollments } from '../modules/module-enrollments.queries.ts'
import { hasCycle } from '../modules/modules.rules.ts'
import { presentModules } from '../modules/present-module.service.ts'
import { assertAuthor, canSeePath, isAuthor } from '../records/learning-access.rules.ts'
import { listModulesOfPath, storeModuleOrder } from '../records/modules.queries.ts'
import type { PathRow } from '../records/path-row.ts'
import {
  deletePathRow,
  findPath,
  insertPath,
  listPathsByIds,
  listPrerequisites,
  lockPath,
  updatePathRow,
} from '../records/paths.queries.ts'
import { listPathRows } from './paths.queries.ts'
import { assertPathTransition, completeCertificate } from './paths.rules.ts'
import type { NewPath, Path, PathChanges, PathDetails, PathQuery } from './paths.schemas.ts'
import { presentPaths } from './present-path.service.ts'
import { assertPrerequisitesPublished, assertPublishable } from './publish-path.service.ts'

export async function listLearningPaths(tx: TenantTx, actor: UserActor, query: PathQuery): Promise<Page<Path>> {
  const page = await listPathRows(tx, actor, await listTeamIdsOfUser(tx, actor.userId), query)
  return { ...page, items: await presentPaths(tx, page.items, actor) }
}

export async function getLearningPath(tx: TenantTx, actor: UserActor, id: string): Promise<PathDetails> {
  const [path, teamIds] = await Promise.all([findPath(tx, id), listTeamIdsOfUser(tx, actor.userId)])
  if (!path || !canSeePath(path, actor, teamIds)) throw notFound('path')
  return await presentDetails(tx, actor, path)
}

async function presentDetails(tx: TenantTx, actor: UserActor, path: PathRow): Promise<PathDetails> {
  const [[presented], modules] = await Promise.all([presentPaths(tx, [path], actor), listModulesOfPath(tx, path.id)])
  return { ...presented!, modules: await presentModules(tx, modules, { isAuthor: isAuthor(path, actor) }) }
}

type CreateOptions = { now: Date }

export async function createLearningPath(
  tx: TenantTx,
  actor: UserActor,
  { certificate = {}, ...input }: NewPath,
  { now }: CreateOptions,
): Promise<PathDetails> {
  await assertReferences(tx, input)
  const settings = completeCertificate(certificate)
  const id = newId()
  if (input.prerequisite_path_ids?.length) await assertPrerequisitePaths(tx, id, input.prerequisite_path_ids)
  const path = await insertPath(tx, {
    ...input,
    id,
    certificate: JSON.stringify(settings),
    search_text: searchTextOf(input),
    owner_id: actor.userId,
    created_by: actor.userId,
    created_at: now,
  })
  await recordAudit(tx, 'learning_path.created', { id, label: path.title, after: path })
  await emit(tx, pathCreated, path, { title: path.title })
  return await presentDetails(tx, actor, path)
}

const searchTextOf = ({ title, description }: { title: string; description?: string | null }) =>
  toSearchText(title, description)

type Teams = Pick<PathChanges, 'auto_enroll_team_ids' | 'audience_team_ids'>

async function assertReferences(tx: TenantTx, input: Teams): Promise<void> {
  for (const field of ['auto_enroll_team_ids', 'audience_team_ids'] as const) {
    const ids = input[field] ?? []
    const teams = await findTeamNames(tx, ids)
    const unknown = ids.findIndex((id) => !teams.has(id))
    if (unknown >= 0) throw unknownReference(`/${field}/${unknown}`, 'team')
  }
}

/** The lock keeps two requests from creating a cycle together. */
async function assertPrerequisitePaths(tx: TenantTx, id: string, prerequisiteIds: readonly string[]): Promise<void> {
  await acquireAdvisoryLock(tx, 'learning_prerequisites')
  const known = new Set((await listPathsByIds(tx, prerequisiteIds)).map((path) => path.id))
  const unknown = prerequisiteIds.findIndex((prerequisite) => prerequisite !== id && !known.has(prerequisite))
  if (unknown >= 0) throw unknownReference(`/prerequisite_path_ids/${unknown}`, 'path')
  const others = (await listPrerequisites(tx))
    .filter((path) => path.id !== id)
    .map((path) => ({ id: path.id, prerequisite_ids: path.prerequisite_path_ids }))
  if (hasCycle([...others, { id, prerequisite_ids: prerequisiteIds }], id))
    throw invalid('body', '/prerequisite_path_ids', 'cycle', 'A path must not be its own prerequisite.')
}

type UpdateInput = { changes: PathChanges; expectedVersion?: number }

export async function updateLearningPath(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: { module_order, certificate, ...requested }, expectedVersion }: UpdateInput,
): Promise<PathDetails> {
  const prerequisites = requested.prerequisite_path_ids
  if (prerequisites?.length) await acquireAdvisoryLock(tx, 'learning_prerequisites')
  const path = await lockPath(tx, id)
  const teamIds = await listTeamIdsOfUser(tx, actor.userId)
  assertAuthor(path, actor, teamIds)
  assertVersion(path, expectedVersion)
  await assertReferences(tx, requested)
  const changes: Partial<PathRow> = changedFields(path, {
    ...requested,
    ...(certificate && { certificate: completeCertificate(certificate, path.certificate) }),
  })
  if (changes.owner_id) await assertAssignable(tx, changes.owner_id)
  if (changes.prerequisite_path_ids?.length) await assertPrerequisitePaths(tx, id, changes.prerequisite_path_ids)
  const isReordered = module_order ? await reorderModules(tx, path, module_order) : false
  if (changes.status) assertPathTransition(path, changes.status)
  const reader = { actor, teamIds }
  if (changes.status === 'published') await assertPublishable(tx, { ...path, ...changes }, reader)
  else if (path.status === 'published') await assertPrerequisitesPublished(tx, path, changes, reader)
  if (!Object.keys(changes).length && !isReordered) return await presentDetails(tx, actor, path)
  const updated = await storeChanges(tx, path, changes, { isReordered })
  return await presentDetails(tx, actor, updated)
}

async function storeChanges(
  tx: TenantTx,
  path: PathRow,
  changes: Partial<PathRow>,
  { isReordered }: { isReordered: boolean },
): Promise<PathRow> {
  const { id } = path
  const { certificate, ...fields } = changes
  const updated = await updatePathRow(tx, id, {
    ...fields,
    ...(certificate && { certificate: JSON.stringify(certificate) }),
    search_text: searchTextOf({ ...path, ...changes }),
  })
  const changed = [...Object.keys(changes), ...(isReordered ? ['module_order'] : [])]
  await recordAudit(tx, 'learning_path.updated', { id, label: updated.title, before: path, after: updated })
  await emit(tx, pathUpdated, updated, { changed })
  if (changes.status === 'published') await emit(tx, pathPublished, updated, {})
  if (changes.status === 'archived') await emit(tx, pathArchived, updated, {})
  return updated
}

/** Open enrollments follow the new order. */
async function reorderModules(tx: TenantTx, path: PathRow, order: readonly string[]): Promise<boolean> {
  const current = (await listModulesOfPath(tx, path.id)).map(({ id }) => id)
  const isComplete = order.length === current.length && order.every((id) => current.includes(id))
  if (!isComplete)
    throw conflict('stale_order', 'Modules were added or removed since the path was read.', {
      current_item_ids: current,
    })
  if (order.every((id, index) => id === current[index])) return false
  await storeModuleOrder(tx, order)
  await applyChangedModules(tx, path)
  return true
}

type DeleteInput = { expectedVersion?: number; now: Date }

/** A path with finished enrollments is hidden, so that they and their certificates stay. */
export async function deleteLearningPath(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { expectedVersion, now }: DeleteInput,
): Promise<void> {
  const path = await lockPath(tx, id)
  assertAuthor(path, actor, await listTeamIdsOfUser(tx, actor.userId))
  assertVersion(path, expectedVersion)
  const open = await countOpenEnrollments(tx, id)
  if (open)
    throw conflict('in_use', 'Users are enrolled in the path. Withdraw their enrollments or wait for them first.', {
      open_enrollments: open,
    })
  if (await hasEnrollments(tx, id)) await updatePathRow(tx, id, { deleted_at: now })
  else await deletePathRow(tx, id)
  await recordAudit(tx, 'learning_path.deleted', { id, label: path.title, before: path })
  await emit(tx, pathDeleted, path, {})
}
