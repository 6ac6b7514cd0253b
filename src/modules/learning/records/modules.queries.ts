import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { type ModuleRow, moduleColumns } from './module-row.ts'

type Modules = Database['enablement.learning_modules']

/** Whether the row `module` can be completed: content that was archived without a replacement cannot. */
export const isAvailable = sql<boolean>`(case when module.content_item_id is null
  then module.kind <> 'video' and (module.kind <> 'content' or module.body is not null)
  else exists (select from enablement.content_items item where item.id = module.content_item_id
    and item.status = 'published' and item.deleted_at is null) end)`

/** Modules of a path in their order, without removed ones. */
export const listModulesOfPath = (tx: TenantTx, pathId: string): Promise<ModuleRow[]> =>
  tx
    .selectFrom('enablement.learning_modules')
    .select(moduleColumns)
    .where('path_id', '=', pathId)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .$castTo<ModuleRow>()
    .execute()

/** Includes removed modules, because enrollments show them. */
export const listModulesByIds = (tx: TenantTx, ids: readonly string[]): Promise<ModuleRow[]> =>
  tx
    .selectFrom('enablement.learning_modules')
    .select(moduleColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .$castTo<ModuleRow>()
    .execute()

export const insertModule = (tx: TenantTx, module: Insertable<Modules>): Promise<ModuleRow> =>
  tx
    .insertInto('enablement.learning_modules')
    .values(module)
    .returning(moduleColumns)
    .$castTo<ModuleRow>()
    .executeTakeFirstOrThrow()

export const updateModuleRow = (tx: TenantTx, id: string, fields: Updateable<Modules>): Promise<ModuleRow> =>
  tx
    .updateTable('enablement.learning_modules')
    .set(fields)
    .where('id', '=', id)
    .returning(moduleColumns)
    .$castTo<ModuleRow>()
    .executeTakeFirstOrThrow()

/** Numbers the modules from 1 in the order of the ids. The path must be locked. */
export async function storeModuleOrder(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`
    update enablement.learning_modules module set position = ordered.position
    from unnest(${ids}::uuid[]) with ordinality as ordered (id, position)
    where module.id = ordered.id and module.position <> ordered.position returning module.id
  `.execute(tx)
}

/** The lowest position of a path, which is negative once a module was removed. */
export async function findLowestPosition(tx: TenantTx, pathId: string): Promise<number> {
  const { lowest } = await tx
    .selectFrom('enablement.learning_modules')
    .select(({ fn }) => fn.min('position').as('lowest'))
    .where('path_id', '=', pathId)
    .executeTakeFirstOrThrow()
  return lowest ?? 0
}

type Use = { id: string; title: string }
type Reference = { column: 'content_item_id' | 'scenario_id' | 'prompt_id'; id: string }

/** Published paths with a module of the record. Locks them, so that none is published at the same time. */
export async function lockPathsWithReference(tx: TenantTx, { column, id }: Reference, limit: number): Promise<Use[]> {
  const { rows } = await sql<Use & { status: string }>`
    select path.id, path.title, path.status from enablement.learning_paths path
    where path.id in (select path_id from enablement.learning_modules
      where ${sql.ref(column)} = ${id}::uuid and removed_at is null) and path.deleted_at is null
    order by path.id for share
  `.execute(tx)
  return rows.filter(({ status }) => status === 'published').slice(0, limit)
}
