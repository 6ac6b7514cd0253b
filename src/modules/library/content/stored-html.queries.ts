import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { markdownVersion } from '#platform/markdown'

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
