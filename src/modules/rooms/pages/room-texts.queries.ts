import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { markdownVersion } from '#platform/markdown'

const columnsOf = {
  room: { table: 'enablement.rooms', source: 'welcome', html: 'welcome_html' },
  room_item: { table: 'enablement.room_items', source: 'body', html: 'body_html' },
} as const
type TextKind = keyof typeof columnsOf

export async function listStoredHtml(
  tx: TenantTx,
  kind: TextKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const { table, html } = columnsOf[kind]
  const { rows } = await sql<{ id: string; html: string }>`
    select id, ${sql.ref(html)} as html from ${sql.table(table)}
    where id = any(${ids}::uuid[]) and ${sql.ref(html)} is not null and renderer_version = ${markdownVersion}
  `.execute(tx)
  return new Map(rows.map(({ id, html: stored }) => [id, stored]))
}

type RenderedText = { id: string; source: string; html: string }

/** Leaves out texts that were changed in the meantime. */
export async function updateStoredHtml(tx: TenantTx, kind: TextKind, texts: readonly RenderedText[]): Promise<void> {
  if (!texts.length) return
  const { table, source, html } = columnsOf[kind]
  const [ids, sources, rendered] = [
    texts.map(({ id }) => id),
    texts.map((text) => text.source),
    texts.map((text) => text.html),
  ]
  await sql`
    update ${sql.table(table)} as stored set ${sql.ref(html)} = rendered.html, renderer_version = ${markdownVersion}
    from unnest(${ids}::uuid[], ${sources}::text[], ${rendered}::text[]) as rendered (id, source, html)
    where stored.id = rendered.id and stored.${sql.ref(source)} = rendered.source
  `.execute(tx)
}
