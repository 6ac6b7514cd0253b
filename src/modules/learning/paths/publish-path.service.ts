import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { listModuleProblems, type PublishProblem } from '../modules/publish-problems.service.ts'
import { canSeePath } from '../records/learning-access.rules.ts'
import { listModulesOfPath } from '../records/modules.queries.ts'
import type { PathRow } from '../records/path-row.ts'
import { listPathsByIds } from '../records/paths.queries.ts'

type Reader = { actor: UserActor; teamIds: readonly string[] }

export async function assertPublishable(tx: TenantTx, path: PathRow, reader: Reader): Promise<void> {
  const modules = await listModulesOfPath(tx, path.id)
  const problems = [
    ...(await listModuleProblems(tx, modules)),
    ...(await listPrerequisiteProblems(tx, path.prerequisite_path_ids, reader)),
  ]
  if (!modules.some(({ is_required }) => is_required))
    problems.unshift({ module_id: null, message: 'A path needs a required module.' })
  if (problems.length) throw conflict('not_publishable', problems[0]!.message, { problems })
}

/** A published path gets no prerequisite that learners cannot begin. Earlier ones stay, because they may be archived at any time. */
export async function assertPrerequisitesPublished(
  tx: TenantTx,
  path: PathRow,
  { prerequisite_path_ids = [] }: Partial<PathRow>,
  reader: Reader,
): Promise<void> {
  const added = prerequisite_path_ids.filter((id) => !path.prerequisite_path_ids.includes(id))
  const problems = await listPrerequisiteProblems(tx, added, reader)
  if (problems.length) throw conflict('not_publishable', problems[0]!.message, { problems })
}

async function listPrerequisiteProblems(
  tx: TenantTx,
  ids: readonly string[],
  { actor, teamIds }: Reader,
): Promise<PublishProblem[]> {
  const open = (await listPathsByIds(tx, ids)).filter(({ status }) => status !== 'published')
  return open.map((path) => {
    const name = canSeePath(path, actor, teamIds) ? `"${path.title}"` : path.id
    return { module_id: null, message: `The prerequisite ${name} must be published.` }
  })
}
