import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { markdownVersion } from '#platform/markdown'

const columns = ['id', 'item_id', 'version_no', 'file_id', 'note', 'uploaded_by', 'removed_at', 'created_at'] as const
export type VersionRow = Pick<Selectable<Database['enablement.content_versions']>, (typeof columns)[number]>

const versions = (tx: TenantTx) => tx.selectFrom('enablement.content_versions').select(columns)

export const findVersion = (tx: TenantTx, id: string): Promise<VersionRow | undefined> =>
  versions(tx).where('id', '=', id).executeTakeFirst()

export const findVersionByNumber = (tx: TenantTx, itemId: string, versionNo: number): Promise<VersionRow | undefined> =>
  versions(tx).where('item_id', '=', itemId).where('version_no', '=', versionNo).executeTakeFirst()

/** Newest first; a file belongs to several versions if one was restored. */
export const listVersionsOfFile = (tx: TenantTx, fileId: string): Promise<VersionRow[]> =>
  versions(tx).where('file_id', '=', fileId).orderBy('version_no', 'desc').execute()

export const listVersionsOfItem = (tx: TenantTx, itemId: string): Promise<VersionRow[]> =>
  versions(tx).where('item_id', '=', itemId).orderBy('version_no', 'desc').limit(1_000).execute()

/** The caller holds the lock of the item, so that numbers are consecutive. */
export function insertVersion(
  tx: TenantTx,
  version: Omit<Insertable<Database['enablement.content_versions']>, 'version_no'>,
): Promise<VersionRow> {
  return tx
    .insertInto('enablement.content_versions')
    .values({
      ...version,
      version_no: sql<number>`(select coalesce(max(version_no), 0) + 1 from enablement.content_versions
        where item_id = ${version.item_id})`,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function markVersionRemoved(tx: TenantTx, id: string, removedAt: Date): Promise<void> {
  await tx.updateTable('enablement.content_versions').set({ removed_at: removedAt }).where('id', '=', id).execute()
}

export async function listVersionsByNumber(
  tx: TenantTx,
  wanted: readonly { item_id: string; version_no: number }[],
): Promise<VersionRow[]> {
  if (!wanted.length) return []
  const pairs = sql<{ item_id: string; version_no: number }>`(
    select unnest(${wanted.map(({ item_id }) => item_id)}::uuid[]) as item_id,
      unnest(${wanted.map(({ version_no }) => version_no)}::integer[]) as version_no)`
  return await tx
    .selectFrom('enablement.content_versions as version')
    .innerJoin(pairs.as('wanted'), (join) =>
      join.onRef('wanted.item_id', '=', 'version.item_id').onRef('wanted.version_no', '=', 'version.version_no'),
    )
    .select(columns.map((column) => `version.${column}` as const))
    .execute()
}

/** Finds the rendered bodies of content items, without those of an older renderer. */
export async function listStoredBodies(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const { rows } = await sql<{ id: string; html: string }>`
    select id, body_html as html from enablement.content_items
    where id = any(${ids}::uuid[]) and body_html is not null and renderer_version = ${markdownVersion}
  `.execute(tx)
  return new Map(rows.map(({ id, html }) => [id, html]))
}

type RenderedBody = { id: string; source: string; html: string }

/** Leaves out bodies that were changed since they were read. */
export async function updateStoredBodies(tx: TenantTx, bodies: readonly RenderedBody[]): Promise<void> {
  if (!bodies.length) return
  const [ids, sources, rendered] = [
    bodies.map(({ id }) => id),
    bodies.map(({ source }) => source),
    bodies.map(({ html }) => html),
  ]
  await sql`
    update enablement.content_items as stored set body_html = rendered.html, renderer_version = ${markdownVersion}
    from unnest(${ids}::uuid[], ${sources}::text[], ${rendered}::text[]) as rendered (id, source, html)
    where stored.id = rendered.id and stored.body = rendered.source
  `.execute(tx)
}
