import type { Page, TenantTx } from '#platform/db'
import { getSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { noneSkipped } from './audience.rules.ts'
import { type DistributionRow, listDistributionRows } from './distributions.queries.ts'
import type { Distribution, DistributionQuery } from './distributions.schemas.ts'

export async function listSurveyDistributions(
  tx: TenantTx,
  surveyId: string,
  query: DistributionQuery,
  now: Date,
): Promise<Page<Distribution>> {
  await getSurveyRow(tx, surveyId)
  const { items, ...page } = await listDistributionRows(tx, surveyId, query)
  return { ...page, items: items.map((row) => toDistribution(row, now)) }
}

/** Shows how many persons the audience names, not who they are. */
export function toDistribution(
  { audience, skipped, resolved_at: _, continues_at, ...row }: DistributionRow,
  now: Date,
): Distribution {
  const { contact_ids = [], contact_segment_ids = [], lead_ids = [], lead_segment_ids = [], email_count = 0 } = audience
  return {
    ...row,
    continues_at: isWaiting(row.status) && continues_at !== null && continues_at > now ? continues_at : null,
    audience: {
      contacts: contact_ids.length,
      leads: lead_ids.length,
      segment_ids: [...contact_segment_ids, ...lead_segment_ids],
      emails: email_count,
    },
    skipped: { ...noneSkipped, ...skipped },
  }
}

const isWaiting = (status: string): boolean => status !== 'cancelled' && status !== 'failed'
