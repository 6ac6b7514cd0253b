import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

type Experts = Database['enablement.experts']

const expertColumns = [
  'id',
  'user_id',
  'headline',
  'bio',
  'topics',
  'languages',
  'timezone',
  'max_open',
  'is_active',
  'out_until_on',
  'last_assigned_at',
  'rating_sum',
  'rating_count',
  'rank_score',
  'created_at',
  'updated_at',
  'version',
] as const

export type ExpertRow = Pick<Selectable<Experts>, (typeof expertColumns)[number]>

const maxListed = 2_000

const selectExperts = (tx: TenantTx) => tx.selectFrom('enablement.experts').select(expertColumns)

export const findExpertOfUser = (tx: TenantTx, userId: string): Promise<ExpertRow | undefined> =>
  selectExperts(tx).where('user_id', '=', userId).executeTakeFirst()

export const listExpertsByIds = (tx: TenantTx, ids: readonly string[]): Promise<ExpertRow[]> =>
  selectExperts(tx).where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()

/** Reads the whole directory, because it is sorted by a load that is counted for each request. */
export async function listDirectory(
  tx: TenantTx,
  { topic, isActive }: { topic: string | undefined; isActive: boolean },
): Promise<ExpertRow[]> {
  const experts = selectExperts(tx).where('is_active', '=', isActive).limit(maxListed)
  return await (topic === undefined ? experts : experts.where('id', '=', expertIdsOf([topic]))).execute()
}

const expertIdsOf = (topics: readonly string[]) =>
  sql<string>`any(array(select expert_id from enablement.expert_topics where topic = any(${topics}::text[])))`

async function listExpertIdsOf(tx: TenantTx, topics: readonly string[]): Promise<string[]> {
  if (!topics.length) return []
  const experts = await tx
    .selectFrom('enablement.expert_topics')
    .select('expert_id')
    .where('topic', '=', sql<string>`any(${topics}::text[])`)
    .execute()
  return experts.map(({ expert_id }) => expert_id)
}

/** Locks the experts of the topics and those with the ids, in id order, so that two requests cannot wait for each other. */
export async function lockExperts(
  tx: TenantTx,
  { topics = [], ids = [] }: { topics?: readonly string[]; ids?: readonly string[] },
): Promise<ExpertRow[]> {
  const allIds = [...ids, ...(await listExpertIdsOf(tx, topics))]
  return await selectExperts(tx)
    .where('id', '=', sql<string>`any(${allIds}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export const insertExpert = (tx: TenantTx, expert: Insertable<Experts>): Promise<ExpertRow> =>
  tx.insertInto('enablement.experts').values(expert).returning(expertColumns).executeTakeFirstOrThrow()

export const updateExpertRow = (tx: TenantTx, id: string, fields: Updateable<Experts>): Promise<ExpertRow> =>
  tx
    .updateTable('enablement.experts')
    .set(fields)
    .where('id', '=', id)
    .returning(expertColumns)
    .executeTakeFirstOrThrow()

export async function deleteExpertRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.experts').where('id', '=', id).execute()
}

export async function replaceTopics(tx: TenantTx, expertId: string, topics: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('enablement.expert_topics')
    .where('expert_id', '=', expertId)
    .where('topic', '<>', sql<string>`all(${topics}::text[])`)
    .execute()
  await sql`
    insert into enablement.expert_topics (topic, expert_id) select unnest(${topics}::text[]), ${expertId}::uuid
    on conflict on constraint expert_topics_pkey do nothing
  `.execute(tx)
}

export async function addRating(
  tx: TenantTx,
  expertId: string,
  { sum, count }: { sum: number; count: number },
): Promise<void> {
  await tx
    .updateTable('enablement.experts')
    .set(({ ref }) => ({
      rating_sum: sql<number>`${ref('rating_sum')} + ${sum}::integer`,
      rating_count: sql<number>`${ref('rating_count')} + ${count}::integer`,
    }))
    .where('id', '=', expertId)
    .execute()
}
