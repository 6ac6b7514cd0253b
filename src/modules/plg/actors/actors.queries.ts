import { type SqlBool, sql } from 'kysely'
import {
  type Condition,
  type Page,
  type PagePlan,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
  toSearchWords,
} from '#platform/db'
import { notFound } from '#platform/errors'
import type { SortedPageQuery } from '#platform/schema'

const columns = [
  'id',
  'is_account',
  'ref',
  'name',
  'email',
  'domain',
  'account_actor_id',
  'contact_id',
  'lead_id',
  'account_id',
  'link_method',
  'link_locked',
  'first_seen_at',
  'last_seen_at',
  'created_at',
  'updated_at',
  'version',
] as const

export type ActorRow = {
  id: string
  is_account: boolean
  ref: string
  name: string | null
  email: string | null
  domain: string | null
  account_actor_id: string | null
  contact_id: string | null
  lead_id: string | null
  account_id: string | null
  link_method: string | null
  link_locked: boolean
  first_seen_at: Date
  last_seen_at: Date
  created_at: Date
  updated_at: Date
  version: number
}

type ActorFilter = { kind?: 'person' | 'account'; search?: string; linked?: boolean; qualified?: boolean }

const table = 'plg.actors'
const orders: SortOrders = { last_seen_at: { by: { last_seen_at: 'timestamp' } } }
const maxMatches = 2_000
const maxWords = 5

/** One index range per kind and state of the link. */
export async function listActorRows(
  tx: TenantTx,
  filter: ActorFilter,
  query: SortedPageQuery,
): Promise<Page<ActorRow>> {
  const { kind, linked, search, qualified } = filter
  const conditions: Condition[] = [sql`plg.actors.erased_at is null`]
  if (search) conditions.push(isOneOf(await searchActorIds(tx, search)))
  if (qualified !== undefined) conditions.push(qualified ? isQualified : sql<SqlBool>`not ${isQualified}`)
  const kinds = kind ? [kind === 'account'] : [false, true]
  const links = linked === undefined ? [false, true] : [linked]
  const plan: PagePlan = {
    table,
    columns,
    order: sortOrderOf(orders, query.sort ?? '-last_seen_at'),
    scans: kinds.flatMap((isAccount) =>
      links.map((isLinked) => ({
        conditions: [
          sql<SqlBool>`plg.actors.is_account = ${isAccount}`,
          sql<SqlBool>`plg.actors.is_linked = ${isLinked}`,
          ...conditions,
        ],
      })),
    ),
    filters: filter,
  }
  return await readPage<ActorRow>(tx, plan, query)
}

const isOneOf = (ids: readonly string[]): Condition => sql<SqlBool>`plg.actors.id = any (${ids}::uuid[])`

const isQualified: Condition = sql<SqlBool>`plg.actors.id = any (array(
  select actor_id from plg.qualifications where lost_at is null)::uuid[])`

async function searchActorIds(tx: TenantTx, search: string): Promise<string[]> {
  const words = toSearchWords(search).slice(0, maxWords)
  const found = sql<{
    id: string
  }>`(select found as id from plg.search_actors(${words}::text[], ${sql.lit(maxMatches)}) as found)`
  const rows = await tx.selectFrom(found.as('match')).select('match.id').execute()
  return rows.map(({ id }) => id)
}

export async function getActor(tx: TenantTx, id: string): Promise<ActorRow> {
  return requireActor(
    await tx.selectFrom(table).select(columns).where('id', '=', id).where('erased_at', 'is', null).executeTakeFirst(),
  )
}

export async function lockActor(tx: TenantTx, id: string): Promise<ActorRow> {
  return requireActor(
    await tx
      .selectFrom(table)
      .select(columns)
      .where('id', '=', id)
      .where('erased_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst(),
  )
}

function requireActor(row: ActorRow | undefined): ActorRow {
  if (!row) throw notFound('person or account')
  return row
}

export async function listActorsByIds(tx: TenantTx, ids: readonly string[]): Promise<ActorRow[]> {
  return await tx
    .selectFrom(table)
    .select(columns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('erased_at', 'is', null)
    .execute()
}

export type ActorLinks = Pick<ActorRow, 'contact_id' | 'lead_id' | 'account_id' | 'link_locked'> & {
  link_method: 'email' | 'domain' | 'manual' | 'pql' | null
}

export async function updateActorLinks(tx: TenantTx, id: string, links: ActorLinks): Promise<ActorRow> {
  return await tx.updateTable(table).set(links).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()
}

export async function findFirstActiveOn(tx: TenantTx, id: string, generation: number): Promise<string | null> {
  const row = await tx
    .selectFrom('plg.first_days')
    .select('first_active_on')
    .where('generation', '=', generation)
    .where('actor_id', '=', id)
    .executeTakeFirst()
  return row?.first_active_on ?? null
}

export async function listQualificationsOf(tx: TenantTx, actorId: string) {
  return await tx
    .selectFrom('plg.qualifications')
    .select(['id', 'rule_key', 'qualified_at', 'last_met_on', 'lost_at', 'points'])
    .where('actor_id', '=', actorId)
    .orderBy('qualified_at', 'desc')
    .limit(50)
    .execute()
}

type ActorText = { actor_id: string; search_text: string }

export async function upsertActorTexts(tx: TenantTx, texts: readonly ActorText[]): Promise<void> {
  if (!texts.length) return
  await sql`
    insert into plg.actor_texts as stored (actor_id, search_text)
    select actor_id, search_text from json_to_recordset(${JSON.stringify(texts)}::json) as text (actor_id uuid, search_text text)
    order by actor_id
    on conflict on constraint actor_texts_pkey do update set search_text = excluded.search_text
      where stored.search_text <> excluded.search_text
  `.execute(tx)
}
