import { getRecordFacts, sampleLeadKeys } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import type { IntegrityRun, Random, RecordReference, SampleData, SampleRecord, Services } from '#platform/module'
import { deleteJobRows } from '../jobs/enrichment-jobs.queries.ts'
import { deleteSuggestionRows } from '../suggestions/suggestions.queries.ts'
import { createSampleEnrichment, type PlannedEnrichment } from './create-sample-enrichment.service.ts'

const interval = 5
const industries = ['Software', 'Logistics', 'Manufacturing', 'Retail', 'Healthcare', 'Energy']
const titles = ['Head of Operations', 'VP Marketing', 'Sales Director', 'IT Manager']
const outcomes = ['matched', 'matched', 'matched', 'no_match', 'error'] as const

/** Enriched fields, open suggestions and a history of jobs for every fifth sample lead. */
export const enrichmentSample = (services: Pick<Services, 'clock' | 'secrets'>): SampleData => ({
  name: 'enrichment',
  plan({ random, now, scale }) {
    const past = { ...services, clock: { now: () => now } }
    const leadKeys = sampleLeadKeys(scale).filter((_, index) => index % interval === 0)
    return leadKeys.map((leadKey, index) => {
      const planned = planEnrichment(random, index)
      return {
        async run(tx, actor, idOf): Promise<SampleRecord[]> {
          const ref = { type: 'lead' as const, id: idOf(leadKey) }
          if ((await getRecordFacts(tx, ref)).isConverted) return []
          const { jobId, suggestionIds } = await createSampleEnrichment(tx, actor, ref, planned, past)
          return [
            { resource_type: 'enrichment_job', id: jobId, key: `enrichment:${leadKey}` },
            ...suggestionIds.map((id, position) => ({
              resource_type: 'enrichment_suggestion',
              id,
              key: `enrichment:${leadKey}:${position}`,
            })),
          ]
        },
      }
    })
  },
  remove: removeSampleEnrichments,
})

const planEnrichment = (random: Random, index: number): PlannedEnrichment => ({
  outcome: outcomes[index % outcomes.length]!,
  ms: random.integer(80, 900),
  values: {
    title: { value: random.pick(titles), confidence: 0.8 },
    industry: { value: random.pick(industries), confidence: 0.8 },
    employee_count: { value: random.integer(2, 400) * 10, confidence: 0.7 },
  },
})

async function removeSampleEnrichments(
  { inTenant }: IntegrityRun,
  records: readonly RecordReference[],
): Promise<RecordReference[]> {
  const idsOf = (type: string) => records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
  await inTenant(async (tx: TenantTx) => {
    await deleteSuggestionRows(tx, idsOf('enrichment_suggestion'))
    await deleteJobRows(tx, idsOf('enrichment_job'))
  })
  return []
}
