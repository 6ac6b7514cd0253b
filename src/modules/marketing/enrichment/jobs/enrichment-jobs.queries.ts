import { type Insertable, type Selectable, sql } from 'kysely'
import { Type } from 'typebox'
import type { RecordRef } from '#modules/crm'
import {
  countLimit,
  type Database,
  decodeCursor,
  directionOf,
  orderingOf,
  type Page,
  type TenantTx,
  toPage,
  toTotal,
} from '#platform/db'
import { Id } from '#platform/schema'
import type { QueueQuery } from './enrichment-jobs.schemas.ts'
import { jobStatuses } from './job-status.rules.ts'

type Jobs = Database['marketing.enrichment_jobs']

export const jobColumns = [
  'id',
  'entity_type',
  'entity_id',
  'status',
  'reason',
  'trigger',
  'requested_by',
  'task_id',
  'is_forced',
  'fields_requested',
  'log',
  'credits_used',
  'attempts',
  'run_at',
  'claim_id',
  'started_at',
  'finished_at',
  'created_at',
  'updated_at',
] as const
const SortKey = Type.Tuple([Id])
export type JobRow = Pick<Selectable<Jobs>, (typeof jobColumns)[number]>
export type NewJob = Omit<Insertable<Jobs>, 'tenant_id' | 'log'> & { log?: string }

export const insertJob = (tx: TenantTx, job: NewJob): Promise<JobRow> =>
  tx.insertInto('marketing.enrichment_jobs').values(job).returning(jobColumns).executeTakeFirstOrThrow()

type QueuedJob = { id: string; entity_id: string }
type QueueOptions = { trigger: 'bulk' | 'auto'; requestedBy: string | null; isForced?: boolean; now: Date }

/** Queues leads that have no queued or running job yet, and returns the ids of those leads. */
export async function insertQueuedLeads(
  tx: TenantTx,
  jobs: readonly QueuedJob[],
  { trigger, requestedBy, isForced = false, now }: QueueOptions,
): Promise<Set<string>> {
  const { rows } = await sql<{ entity_id: string }>`
    insert into marketing.enrichment_jobs (id, entity_type, entity_id, status, trigger, requested_by, is_forced, run_at, created_at)
    select job.id, 'lead', job.entity_id, 'queued', ${trigger}, ${requestedBy}::uuid, ${isForced}, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ entity_id }) => entity_id)}::uuid[]) as job (id, entity_id)
    on conflict (tenant_id, entity_type, entity_id) where status in ('queued', 'running') do nothing
    returning entity_id
  `.execute(tx)
  return new Set(rows.map(({ entity_id }) => entity_id))
}

const recordColumns = { lead: 'lead_id', contact: 'contact_id', account: 'account_id' } as const

export const findLastJob = (tx: TenantTx, { type, id }: RecordRef): Promise<JobRow | undefined> =>
  tx
    .selectFrom('marketing.enrichment_jobs')
    .select(jobColumns)
    .where(recordColumns[type], '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findLiveJob = (tx: TenantTx, { type, id }: RecordRef): Promise<JobRow | undefined> =>
  tx
    .selectFrom('marketing.enrichment_jobs')
    .select(jobColumns)
    .where('entity_type', '=', type)
    .where('entity_id', '=', id)
    .where(sql<boolean>`status in ('queued', 'running')`)
    .executeTakeFirst()

export async function setJobTask(tx: TenantTx, id: string, taskId: string): Promise<void> {
  await tx.updateTable('marketing.enrichment_jobs').set({ task_id: taskId }).where('id', '=', id).execute()
}

export const listJobsByIds = (tx: TenantTx, ids: readonly string[]): Promise<JobRow[]> =>
  tx
    .selectFrom('marketing.enrichment_jobs')
    .select(jobColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()

/** Walks one index per status and merges the results, because an index has one order only. */
export async function listJobs(tx: TenantTx, query: QueueQuery): Promise<Page<JobRow>> {
  const { status, entity_type, limit, offset, cursor, sort } = query
  const order = directionOf(sort, '-created_at')
  const { direction, after } = orderingOf(order)
  const last = cursor ? decodeCursor(cursor, SortKey, order)[0] : null
  const ofType = entity_type ? sql`and entity_type = ${entity_type}` : sql``
  const onPage = last ? sql`and id ${after} ${last}` : sql``
  const skipped = cursor ? 0 : offset
  const columns = sql.join(jobColumns.map((column) => sql.ref(column)))
  const { rows } =
    status || entity_type
      ? await sql<JobRow>`
          select ${sql.join(jobColumns.map((column) => sql.ref(`job.${column}`)))} from unnest(${status ?? jobStatuses}::text[]) as wanted (status)
          cross join lateral (
            select ${columns} from marketing.enrichment_jobs where status = wanted.status ${ofType} ${onPage}
            order by id ${direction} limit ${skipped + limit + 1}
          ) job
          order by job.id ${direction} limit ${limit + 1} offset ${skipped}
        `.execute(tx)
      : await sql<JobRow>`
          select ${columns} from marketing.enrichment_jobs where true ${onPage}
          order by id ${direction} limit ${limit + 1} offset ${skipped}
        `.execute(tx)
  const total = toTotal(await countJobs(tx, query), query)
  return toPage(rows, total, query, ({ id }) => [id], order)
}

async function countJobs(tx: TenantTx, { status, entity_type, cursor, count = 'capped' }: QueueQuery): Promise<number> {
  if (cursor || count === 'none') return 0
  const limit = count === 'exact' ? sql`` : sql`limit ${sql.lit(countLimit + 1)}`
  const ofType = entity_type ? sql`and entity_type = ${entity_type}` : sql``
  const { rows } = await sql<{ matching: number }>`
    select count(*)::int as matching from (
      select from unnest(${status ?? jobStatuses}::text[]) as wanted (status)
      cross join lateral (
        select from marketing.enrichment_jobs where status = wanted.status ${ofType} order by id desc ${limit}
      ) job ${limit}
    ) counted
  `.execute(tx)
  return rows[0]!.matching
}

export async function countJobsByStatus(tx: TenantTx): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; jobs: number }>`
    select wanted.status, counted.jobs from unnest(${jobStatuses}::text[]) as wanted (status)
    cross join lateral (
      select count(*)::int as jobs from (
        select from marketing.enrichment_jobs where status = wanted.status order by id desc limit ${sql.lit(countLimit)}) capped
    ) counted
  `.execute(tx)
  return Object.fromEntries(rows.map(({ status, jobs }) => [status, jobs]))
}

export async function deleteJobRows(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`
    delete from marketing.enrichment_jobs where id = any (array(
      select id from marketing.enrichment_jobs where id = any (${ids}::uuid[]) order by id for update))
  `.execute(tx)
}
