import { type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import { baseCurrencyOf } from '#modules/identity'
import { startOfDaysAgo } from '#platform/calendar'
import { allOf } from '#platform/db'
import type { RuleContext } from '#platform/rules'
import { defineFact, moneyParser } from '#platform/rules'
import { strict } from '#platform/schema'
import { stageKinds } from '../pipelines/pipelines.schemas.ts'

const StageKey = Type.String({ pattern: '^[a-z0-9_]{1,40}$', maxLength: 40 })

/** A deal of the account or contact matches; `within_days` counts from the day it was closed, else created. */
export const opportunityFact = defineFact({
  name: 'opportunity',
  objectTypes: ['contact', 'account'],
  params: strict({
    kinds: Type.Optional(Type.Array(Type.Enum([...stageKinds]), { minItems: 1, maxItems: stageKinds.length })),
    min_amount: Type.Optional(Type.Unknown({ 'x-parameter-type': 'money' })),
    stage_keys: Type.Optional(Type.Array(StageKey, { minItems: 1, maxItems: 100 })),
    within_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
  }),
  async resolve(tx, { min_amount, ...params }, report) {
    if (min_amount === undefined) return { ...params, minMinor: undefined }
    const parseMoney = moneyParser(await baseCurrencyOf(tx))
    const minMinor = parseMoney(min_amount, report, '/min_amount')
    return minMinor === undefined ? undefined : { ...params, minMinor }
  },
  compile(params, { id, objectType, ...context }) {
    const matches = matching(params, context)
    if (objectType === 'account')
      return sql<SqlBool>`exists (select from crm.opportunities deal where deal.account_id = ${id} and ${matches})`
    return sql<SqlBool>`
      exists (select from crm.opportunities deal where deal.primary_contact_id = ${id} and ${matches})
      or exists (
        select from crm.opportunity_contacts link join crm.opportunities deal on deal.id = link.opportunity_id
        where link.contact_id = ${id} and ${matches})`
  },
  select(params, { objectType, ...context }) {
    const matches = matching(params, context)
    const records =
      objectType === 'account'
        ? sql`select deal.account_id as record_id from crm.opportunities deal where deal.account_id is not null and ${matches}`
        : sql`
          select deal.primary_contact_id as record_id from crm.opportunities deal
          where deal.primary_contact_id is not null and ${matches}
          union all
          select link.contact_id from crm.opportunities deal
            join crm.opportunity_contacts link on link.opportunity_id = deal.id where ${matches}`
    return { records, isExact: true }
  },
})

type DealParams = { kinds?: string[]; stage_keys?: string[]; within_days?: number; minMinor?: number }

const matching = (
  { kinds, stage_keys, within_days, minMinor }: DealParams,
  context: Pick<RuleContext, 'now' | 'timezone'>,
) =>
  allOf([
    sql<SqlBool>`deal.deleted_at is null`,
    ...(kinds ? [sql<SqlBool>`deal.kind = any (${kinds}::text[])`] : []),
    ...(stage_keys ? [sql<SqlBool>`deal.stage_key = any (${stage_keys}::text[])`] : []),
    ...(minMinor === undefined ? [] : [sql<SqlBool>`deal.amount_base_minor >= ${minMinor}::bigint`]),
    ...(within_days
      ? [
          sql<SqlBool>`coalesce(deal.closed_at, deal.created_at) >= ${startOfDaysAgo(within_days, context)}::timestamptz`,
        ]
      : []),
  ])
