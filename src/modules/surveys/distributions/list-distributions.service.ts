import type { Page, TenantTx } from '#platform/db'
import { getSurveyRow } from '../survey-records/surveys.queries.ts'
import { noneSkipped } from './audience.rules.ts'
import { type DistributionRow, listDistributionRows } from './distributions.queries.ts'
import type { Distribution, DistributionQuery } from './distributions.schemas.ts'

export async function listSurveyDistributions(
  tx: TenantTx,
  surveyId: string,
  query: DistributionQuery,
): Promise<Page<Distribution>> {
  await getSurveyRow(tx, surveyId)
  const { items, ...page } = await listDistributionRows(tx, surveyId, query)
  return { ...page, items: items.map(toDistribution) }
}

/** Shows how many persons the audience names, not who they are. */
export function toDistribution({ audience, skipped, resolved_at: _, ...row }: DistributionRow): Distribution {
  const { contact_ids = [], contact_segment_ids = [], lead_ids = [], lead_segment_ids = [], email_count = 0 } = audience
  return {
    ...row,
    audience: {
      contacts: contact_ids.length,
      leads: lead_ids.length,
      segment_ids: [...contact_segment_ids, ...lead_segment_ids],
      emails: email_count,
    },
    skipped: { ...noneSkipped, ...skipped },
  }
}
