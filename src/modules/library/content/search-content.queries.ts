import { sql } from 'kysely'
import { type TenantTx, toSearchText } from '#platform/db'

const indexedCharacters = 100_000
export const maxMatches = 10_000

const withoutPunctuation = (text: string) => toSearchText(text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '))

/** Keeps quotes, and hyphens that exclude a word; `or` is a word. */
export const toSearchQuery = (search: string): string =>
  toSearchText(
    search.replace(/(?<=^|\s)-(?=[\p{L}\p{N}"])|[^\p{L}\p{M}\p{N}"]+/gu, (found) => (found === '-' ? '-' : ' ')),
  )

type SearchableItem = { title: string; tags: string[]; description: string | null; body: string | null }

export async function upsertSearchText(
  tx: TenantTx,
  itemId: string,
  { title, tags, description, body }: SearchableItem,
  fileText: string | null = null,
): Promise<void> {
  const texts = {
    title_text: withoutPunctuation(title),
    tag_text: withoutPunctuation(tags.join(' ')),
    description_text: withoutPunctuation(description ?? ''),
    body_text: withoutPunctuation(`${body ?? ''} ${fileText ?? ''}`.slice(0, indexedCharacters)),
  }
  await tx
    .insertInto('enablement.content_search_texts')
    .values({ item_id: itemId, ...texts })
    .onConflict((existing) => existing.constraint('content_search_texts_pkey').doUpdateSet(texts))
    .execute()
}

export async function deleteSearchText(tx: TenantTx, itemId: string): Promise<void> {
  await tx.deleteFrom('enablement.content_search_texts').where('item_id', '=', itemId).execute()
}

export type SearchMatch = { item_id: string; rank: number }

export async function searchContent(tx: TenantTx, search: string): Promise<SearchMatch[]> {
  const matches = sql<SearchMatch>`enablement.search_content(${toSearchQuery(search)}, ${sql.lit(maxMatches + 1)})`
  return await tx.selectFrom(matches.as('found')).select(['found.item_id', 'found.rank']).execute()
}

export async function countSearchMiss(
  tx: TenantTx,
  search: string,
  { userId, now }: { userId: string | null; now: Date },
): Promise<void> {
  await sql`
    insert into enablement.content_search_misses as miss (query_norm, last_at, last_user_id)
    values (${search}, ${now}, ${userId}::uuid)
    on conflict on constraint content_search_misses_pkey do update
    set count = miss.count + 1, last_at = excluded.last_at, last_user_id = excluded.last_user_id
  `.execute(tx)
}
