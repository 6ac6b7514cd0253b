import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import { type RecordRule, selectMatchingIds } from '#modules/crm'
import type { TaskRequester } from '#modules/identity'
import {
  type Database,
  decodeCursor,
  directionOf,
  listTenantsWithRows,
  type Page,
  type SystemTx,
  type TenantTx,
  toPage,
  totalOf,
} from '#platform/db'
import { notFound } from '#platform/errors'
import type { RuleContext } from '#platform/rules'
import { Id } from '#platform/schema'
import type { EnrollOptions } from '../segments/enroll-target.ts'
import type { FlowQuery } from './segment-flows.schemas.ts'

type Flows = Database['marketing.segment_flows']

const flowColumns = [
  'id',
  'segment_id',
  'target_type',
  'target_id',
  'options',
  'is_active',
  'requested_by',
  'enrolled_count',
  'last_run_at',
  'last_error',
  'created_by',
  'created_at',
] as const

type JsonColumns = { options: EnrollOptions; requested_by: TaskRequester }
export type FlowRow = Omit<Pick<Selectable<Flows>, (typeof flowColumns)[number]>, keyof JsonColumns> & JsonColumns

const toFlowRow = (row: unknown) => row as FlowRow
const SortKey = Type.Tuple([Id])

export async function listFlowRows(
  tx: TenantTx,
  segmentId: string,
  { sort, ...page }: FlowQuery,
): Promise<Page<FlowRow>> {
  const order = directionOf(sort, 'created_at')
  const flows = tx.selectFrom('marketing.segment_flows').where('segment_id', '=', segmentId)
  let rows = flows
    .select(flowColumns)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) rows = rows.where('id', order.after, decodeCursor(page.cursor, SortKey, order)[0])
  else rows = rows.offset(page.offset)
  const total = await totalOf(tx, flows, page)
  return toPage((await rows.execute()).map(toFlowRow), total, page, ({ id }) => [id], order)
}

export async function lockFlow(tx: TenantTx, segmentId: string, id: string): Promise<FlowRow> {
  const row = await tx
    .selectFrom('marketing.segment_flows')
    .select(flowColumns)
    .where('id', '=', id)
    .where('segment_id', '=', segmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('flow'))
  return toFlowRow(row)
}

export async function findActiveFlow(tx: TenantTx, id: string): Promise<FlowRow | undefined> {
  const row = await tx
    .selectFrom('marketing.segment_flows')
    .select(flowColumns)
    .where('id', '=', id)
    .where('is_active', '=', sql.lit(true))
    .executeTakeFirst()
  return row && toFlowRow(row)
}

export async function listActiveFlowIds(tx: TenantTx): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.segment_flows')
    .select('id')
    .where('is_active', '=', sql.lit(true))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export const listTenantsWithActiveFlows = (tx: SystemTx): Promise<string[]> =>
  listTenantsWithRows(tx, 'marketing.segment_flows', sql`is_active`)

/** Starts the flow of a segment and target again if it exists. */
export async function upsertFlow(tx: TenantTx, flow: Insertable<Flows>): Promise<FlowRow> {
  const { options, requested_by } = flow
  const row = await tx
    .insertInto('marketing.segment_flows')
    .values(flow)
    .onConflict((conflict) =>
      conflict
        .constraint('segment_flows_target_unique')
        .doUpdateSet({ is_active: true, options, requested_by, last_error: null }),
    )
    .returning(flowColumns)
    .executeTakeFirstOrThrow()
  return toFlowRow(row)
}

export async function updateFlowRow(tx: TenantTx, id: string, changes: Updateable<Flows>): Promise<void> {
  await tx.updateTable('marketing.segment_flows').set(changes).where('id', '=', id).execute()
}

/** Returns false if the flow is not active. */
export async function stopActiveFlow(tx: TenantTx, id: string, last_error: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('marketing.segment_flows')
    .set({ is_active: false, last_error })
    .where('id', '=', id)
    .where('is_active', '=', sql.lit(true))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function addToEnrolledCount(tx: TenantTx, id: string, enrolled: number): Promise<void> {
  await tx
    .updateTable('marketing.segment_flows')
    .set((eb) => ({ enrolled_count: eb('enrolled_count', '+', enrolled) }))
    .where('id', '=', id)
    .execute()
}

type IdQuery = RawBuilder<{ id: string }>

/** Selects members that the flow has not enrolled before, in id order. */
export async function listNewMembers(
  tx: TenantTx,
  flowId: string,
  { rule, context }: { rule: RecordRule; context: RuleContext },
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const [matching] = await selectMatchingIds(tx, [rule], context)
  const page: IdQuery = sql`(select matching.id from (${matching}) as matching
    where matching.id > ${after}::uuid and not exists (
      select from marketing.segment_flow_records enrolled where enrolled.flow_id = ${flowId}::uuid and enrolled.record_id = matching.id)
    order by matching.id limit ${sql.lit(limit)})`
  const rows = await tx.selectFrom(page.as('page')).select('page.id').execute()
  return rows.map(({ id }) => id)
}

const recordColumns = { lead: 'lead_id', contact: 'contact_id' } as const

/** Returns only new ids, because two runs of a flow can overlap. */
export async function insertFlowRecords(
  tx: TenantTx,
  flowId: string,
  { objectType, ids }: { objectType: keyof typeof recordColumns; ids: readonly string[] },
): Promise<string[]> {
  const rows = await tx
    .insertInto('marketing.segment_flow_records')
    .columns(['flow_id', recordColumns[objectType]])
    .expression(sql`select ${flowId}::uuid, record_id from unnest(${ids}::uuid[]) as record_id order by record_id`)
    .onConflict((conflict) => conflict.constraint('segment_flow_records_pkey').doNothing())
    .returning('record_id')
    .execute()
  return rows.map(({ record_id }) => record_id)
}

export async function deleteFlowRecords(tx: TenantTx, flowId: string, recordIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('marketing.segment_flow_records')
    .where('flow_id', '=', flowId)
    .where('record_id', '=', sql<string>`any(${recordIds}::uuid[])`)
    .execute()
}

/** Locks the active flows into a target, such as a campaign. */
export async function lockFlowsOfType(tx: TenantTx, targetType: string): Promise<FlowRow[]> {
  const rows = await tx
    .selectFrom('marketing.segment_flows')
    .select(flowColumns)
    .where('is_active', '=', sql.lit(true))
    .where('target_type', '=', targetType)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(toFlowRow)
}

export async function lockFlowsInto(tx: TenantTx, targetType: string, targetId: string): Promise<FlowRow[]> {
  const rows = await tx
    .selectFrom('marketing.segment_flows')
    .select(flowColumns)
    .where('target_type', '=', targetType)
    .where('target_id', '=', targetId)
    .where('is_active', '=', sql.lit(true))
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(toFlowRow)
}
