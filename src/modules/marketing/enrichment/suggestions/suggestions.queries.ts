import { sql } from 'kysely'
import { Type } from 'typebox'
import type { RecordRef } from '#modules/crm'
import { decodeCursor, directionOf, type Page, planForValues, type TenantTx, toPage, totalOf } from '#platform/db'
import { notFound } from '#platform/errors'
import { Id } from '#platform/schema'
import type { Suggestion, SuggestionQuery } from './suggestions.schemas.ts'

const suggestionColumns = [
  'id',
  'entity_type',
  'entity_id',
  'field',
  'current_value',
  'suggested_value',
  'provider',
  'confidence',
  'state',
  'decided_by',
  'decided_at',
  'created_at',
  'updated_at',
] as const

const SortKey = Type.Tuple([Id])

export type NewSuggestion = {
  id: string
  field: string
  current_value: unknown
  suggested_value: unknown
  /** Hexadecimal. */
  value_hash: string
  provider: string | null
  confidence: number | null
}

/** Returns the open suggestions. One that was rejected is not made again; one that was accepted is, if the value has changed since. */
export async function upsertSuggestions(
  tx: TenantTx,
  { type, id }: RecordRef,
  suggestions: readonly NewSuggestion[],
  now: Date,
): Promise<Suggestion[]> {
  if (!suggestions.length) return []
  const { rows } = await sql<Suggestion>`
    insert into marketing.enrichment_suggestions as suggestion
      (id, entity_type, entity_id, field, current_value, suggested_value, value_hash, provider, confidence, created_at, updated_at)
    select made.id, ${type}, ${id}::uuid, made.field, coalesce(made.current_value, 'null'), coalesce(made.suggested_value, 'null'),
      decode(made.value_hash, 'hex'), made.provider, made.confidence, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(suggestions)}::json) as made (id uuid, field text, current_value jsonb,
      suggested_value jsonb, value_hash text, provider text, confidence real)
    on conflict (tenant_id, entity_type, entity_id, field, value_hash) do update set
      state = 'open', decided_by = null, decided_at = null, current_value = excluded.current_value,
      suggested_value = excluded.suggested_value, provider = excluded.provider, confidence = excluded.confidence
      where suggestion.state <> 'rejected'
    returning ${sql.join(suggestionColumns.map((column) => sql.ref(`suggestion.${column}`)))}
  `.execute(tx)
  return rows
}

export async function listOpenSuggestions(tx: TenantTx, query: SuggestionQuery): Promise<Page<Suggestion>> {
  const order = directionOf(query.sort, '-created_at')
  let matches = tx.selectFrom('marketing.enrichment_suggestions').where('state', '=', sql.lit('open'))
  if (query.entity_type) {
    await planForValues(tx)
    matches = matches.where('entity_type', '=', query.entity_type)
  }
  let page = matches
    .select(suggestionColumns)
    .orderBy('id', order.direction)
    .limit(query.limit + 1)
  if (query.cursor) page = page.where('id', order.after, decodeCursor(query.cursor, SortKey, order)[0])
  else page = page.offset(query.offset)
  const rows = (await page.execute()) as Suggestion[]
  return toPage(rows, await totalOf(tx, matches, query), query, ({ id }) => [id], order)
}

export async function listOpenSuggestionsOf(
  tx: TenantTx,
  { type, id }: RecordRef,
  limit: number,
): Promise<Suggestion[]> {
  const rows = await tx
    .selectFrom('marketing.enrichment_suggestions')
    .select(suggestionColumns)
    .where('state', '=', sql.lit('open'))
    .where('entity_type', '=', type)
    .where('entity_id', '=', id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows as Suggestion[]
}

export async function listSuggestionsByIds(tx: TenantTx, ids: readonly string[]): Promise<Suggestion[]> {
  const rows = await tx
    .selectFrom('marketing.enrichment_suggestions')
    .select(suggestionColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return rows as Suggestion[]
}

export const getSuggestion = (tx: TenantTx, id: string): Promise<Suggestion> =>
  tx
    .selectFrom('marketing.enrichment_suggestions')
    .select(suggestionColumns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('suggestion')) as Promise<Suggestion>

/** Returns undefined if the suggestion is no longer open. */
export const decideSuggestionRow = (
  tx: TenantTx,
  id: string,
  decision: { state: 'accepted' | 'rejected'; decided_by: string; decided_at: Date },
): Promise<Suggestion | undefined> =>
  tx
    .updateTable('marketing.enrichment_suggestions')
    .set(decision)
    .where('id', '=', id)
    .where('state', '=', sql.lit('open'))
    .returning(suggestionColumns)
    .executeTakeFirst() as Promise<Suggestion | undefined>

export async function deleteSuggestionsOf(
  tx: TenantTx,
  { lead_ids, contact_ids }: { lead_ids: readonly string[]; contact_ids: readonly string[] },
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from marketing.enrichment_suggestions where id = any (array(
      select id from marketing.enrichment_suggestions
      where lead_id = any (${lead_ids}::uuid[]) or contact_id = any (${contact_ids}::uuid[])
      order by id limit ${sql.lit(limit)} for update))
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function deleteSuggestionRows(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`
    delete from marketing.enrichment_suggestions where id = any (array(
      select id from marketing.enrichment_suggestions where id = any (${ids}::uuid[]) order by id for update))
  `.execute(tx)
}
