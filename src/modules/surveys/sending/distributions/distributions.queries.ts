import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import {
  type Database,
  type Page,
  type PagePlan,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import { notFound } from '#platform/errors'
import type { SortedPageQuery } from '#platform/schema'
import type { AddressedPerson, DistributionStatus, SkippedCounts } from './distributions.schemas.ts'

type Distributions = Database['surveys.distributions']

/** Segments of contacts come before those of leads, because a contact takes precedence over a lead with the same address. */
export type Audience = {
  contact_ids: string[]
  contact_segment_ids: string[]
  lead_ids: string[]
  lead_segment_ids: string[]
  emails: AddressedPerson[]
  /** Stays when the email addresses are deleted after the distribution. */
  email_count: number
}

const columns = [
  'id',
  'survey_id',
  'audience',
  'status',
  'send_at',
  'subject',
  'message',
  'language',
  'reminder_days',
  'expires_in_days',
  'ignore_throttle',
  'task_id',
  'recipients',
  'skipped',
  'sent',
  'failed',
  'bounced',
  'unsubscribed',
  'resolved_at',
  'continues_at',
  'created_by',
  'created_at',
  'updated_at',
  'version',
] as const

type TypedColumns = { audience: Audience; status: DistributionStatus; skipped: Partial<SkippedCounts> }
export type DistributionRow = Omit<Pick<Selectable<Distributions>, (typeof columns)[number]>, keyof TypedColumns> &
  TypedColumns

export async function insertDistribution(
  tx: TenantTx,
  distribution: Insertable<Distributions>,
): Promise<DistributionRow> {
  return await tx
    .insertInto('surveys.distributions')
    .values(distribution)
    .returning(columns)
    .$castTo<DistributionRow>()
    .executeTakeFirstOrThrow()
}

const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }

export function listDistributionRows(
  tx: TenantTx,
  surveyId: string,
  query: SortedPageQuery,
): Promise<Page<DistributionRow>> {
  const plan: PagePlan = {
    table: 'surveys.distributions',
    columns,
    order: sortOrderOf(orders, query.sort ?? '-created_at'),
    filters: { surveyId },
    scans: [{ conditions: [sql`surveys.distributions.survey_id = ${surveyId}::uuid`] }],
  }
  return readPage<DistributionRow>(tx, plan, query)
}

export const findDistribution = (tx: TenantTx, id: string): Promise<DistributionRow | undefined> =>
  tx
    .selectFrom('surveys.distributions')
    .select(columns)
    .where('id', '=', id)
    .$castTo<DistributionRow>()
    .executeTakeFirst()

export const lockDistribution = (tx: TenantTx, id: string): Promise<DistributionRow> =>
  tx
    .selectFrom('surveys.distributions')
    .select(columns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .$castTo<DistributionRow>()
    .executeTakeFirstOrThrow(() => notFound('distribution'))

export function lockDistributions(tx: TenantTx, ids: readonly string[]): Promise<DistributionRow[]> {
  return tx
    .selectFrom('surveys.distributions')
    .select(columns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .$castTo<DistributionRow>()
    .execute()
}

export async function updateDistributionRow(
  tx: TenantTx,
  id: string,
  changes: Updateable<Distributions>,
): Promise<DistributionRow> {
  return await tx
    .updateTable('surveys.distributions')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<DistributionRow>()
    .executeTakeFirstOrThrow()
}

export async function findDistributionIdByTask(
  tx: TenantTx,
  surveyId: string,
  taskId: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('surveys.distributions')
    .select('id')
    .where('survey_id', '=', surveyId)
    .where('task_id', '=', taskId)
    .executeTakeFirst()
  return row?.id
}

/** Cancels the distributions that have not invited all recipients, and revokes their invitations without an email. */
export async function cancelOpenDistributions(tx: TenantTx): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update surveys.distributions set status = 'cancelled', audience = audience || '{"emails": []}'
    where status in ('scheduled', 'sending') returning id
  `.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`
    update surveys.invitations set status = 'revoked' where distribution_id = any(${ids}::uuid[]) and status = 'pending'
  `.execute(tx)
  return ids.length
}
