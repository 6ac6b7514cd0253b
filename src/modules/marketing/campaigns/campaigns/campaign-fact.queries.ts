import { type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import { startOfDaysAgo } from '#platform/calendar'
import { allOf } from '#platform/db'
import { defineFact, type RuleContext } from '#platform/rules'
import { Id, strict } from '#platform/schema'
import { findCampaign } from './campaigns.queries.ts'
import { StatusKey } from './campaigns.schemas.ts'

/** A membership of the campaign, or of any, matches; `within_days` counts from the response if `responded` is true, else from the first touch. */
export const campaignFact = defineFact({
  name: 'campaign',
  objectTypes: ['lead', 'contact'],
  params: strict({
    campaign_id: Type.Optional(Id),
    statuses: Type.Optional(Type.Array(StatusKey, { minItems: 1, maxItems: 20 })),
    responded: Type.Optional(Type.Boolean()),
    within_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
  }),
  async resolve(tx, params, report) {
    const { campaign_id } = params
    if (campaign_id && !(await findCampaign(tx, campaign_id)))
      return report('/campaign_id', 'unknown_reference', '`campaign_id` must be the id of a campaign.')
    return params
  },
  compile(params, { id, objectType, ...context }) {
    const isOfRecord = sql<SqlBool>`${personColumn(objectType)} = ${id}`
    return sql<SqlBool>`exists (select from marketing.campaign_members member
      where ${allOf([isOfRecord, ...matching(params, context)])})`
  },
  select(params, { objectType, ...context }) {
    const person = personColumn(objectType)
    const conditions = [sql<SqlBool>`${person} is not null`, ...matching(params, context)]
    const records = sql`select ${person} as record_id from marketing.campaign_members member where ${allOf(conditions)}`
    return { records, isExact: true }
  },
})

const personColumn = (objectType: string) => sql.ref(objectType === 'contact' ? 'member.contact_id' : 'member.lead_id')

type CampaignParams = { campaign_id?: string; statuses?: string[]; responded?: boolean; within_days?: number }

function matching(
  { campaign_id, statuses, responded, within_days }: CampaignParams,
  context: Pick<RuleContext, 'now' | 'timezone'>,
) {
  const time = sql.ref(responded ? 'member.responded_at' : 'member.first_touched_at')
  return [
    ...(campaign_id ? [sql<SqlBool>`member.campaign_id = ${campaign_id}::uuid`] : []),
    ...(statuses ? [sql<SqlBool>`member.status = any (${statuses}::text[])`] : []),
    ...(responded === undefined ? [] : [sql<SqlBool>`member.responded = ${sql.lit(responded)}`]),
    ...(within_days ? [sql<SqlBool>`${time} >= ${startOfDaysAgo(within_days, context)}::timestamptz`] : []),
  ]
}
