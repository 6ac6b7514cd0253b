import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { type PathRow, pathColumns } from './path-row.ts'

type Paths = Database['enablement.learning_paths']

const selectPath = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('enablement.learning_paths')
    .select(pathColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$castTo<PathRow>()

export const findPath = (tx: TenantTx, id: string): Promise<PathRow | undefined> =>
  selectPath(tx, id).executeTakeFirst()

export const lockPath = (tx: TenantTx, id: string): Promise<PathRow> =>
  selectPath(tx, id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('path'))

/** Keeps the modules of the path as they are until the transaction ends. */
export const lockPathShared = (tx: TenantTx, id: string): Promise<PathRow> =>
  selectPath(tx, id)
    .forShare()
    .executeTakeFirstOrThrow(() => notFound('path'))

/** Locks in id order to avoid deadlocks. Skips deleted paths. */
export const lockPathsShared = (tx: TenantTx, ids: readonly string[]): Promise<PathRow[]> =>
  tx
    .selectFrom('enablement.learning_paths')
    .select(pathColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .$castTo<PathRow>()
    .execute()

export const findPathShared = (tx: TenantTx, id: string): Promise<PathRow | undefined> =>
  selectPath(tx, id).forShare().executeTakeFirst()

/** Includes deleted paths, whose enrollments are still shown. */
export const listPathsIncludingDeleted = (tx: TenantTx, ids: readonly string[]): Promise<PathRow[]> =>
  tx
    .selectFrom('enablement.learning_paths')
    .select(pathColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .$castTo<PathRow>()
    .execute()

export const listPathsByIds = (tx: TenantTx, ids: readonly string[]): Promise<PathRow[]> =>
  tx
    .selectFrom('enablement.learning_paths')
    .select(pathColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .$castTo<PathRow>()
    .execute()

export const insertPath = (tx: TenantTx, path: Insertable<Paths>): Promise<PathRow> =>
  tx
    .insertInto('enablement.learning_paths')
    .values(path)
    .returning(pathColumns)
    .$castTo<PathRow>()
    .executeTakeFirstOrThrow()

export const updatePathRow = (tx: TenantTx, id: string, fields: Updateable<Paths>): Promise<PathRow> =>
  tx
    .updateTable('enablement.learning_paths')
    .set(fields)
    .where('id', '=', id)
    .returning(pathColumns)
    .$castTo<PathRow>()
    .executeTakeFirstOrThrow()

/** Modules and their questions are deleted with the path. */
export async function deletePathRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.learning_paths').where('id', '=', id).execute()
}

export const listPrerequisites = (tx: TenantTx): Promise<Pick<PathRow, 'id' | 'prerequisite_path_ids'>[]> =>
  tx
    .selectFrom('enablement.learning_paths')
    .select(['id', 'prerequisite_path_ids'])
    .where('prerequisite_path_ids', '<>', sql<string[]>`'{}'::uuid[]`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

/** Published paths that enroll the members of a team. */
export async function listPathIdsOfTeam(tx: TenantTx, teamId: string): Promise<string[]> {
  const paths = await tx
    .selectFrom('enablement.learning_paths')
    .select('id')
    .where('auto_enroll_team_ids', '<>', sql<string[]>`'{}'::uuid[]`)
    .where('status', '=', sql.lit('published'))
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`${teamId}::uuid = any (auto_enroll_team_ids)`)
    .orderBy('id')
    .execute()
  return paths.map(({ id }) => id)
}
