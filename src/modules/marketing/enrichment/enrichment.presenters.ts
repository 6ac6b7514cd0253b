import { definePresenter } from '#platform/module'
import { listJobsByIds } from './jobs/enrichment-jobs.queries.ts'
import { EnrichmentJob } from './jobs/enrichment-jobs.schemas.ts'
import { toEnrichmentJob } from './jobs/get-enrichment-status.service.ts'
import { listSuggestionsByIds } from './suggestions/suggestions.queries.ts'
import { Suggestion } from './suggestions/suggestions.schemas.ts'

export const enrichmentPresenters = [
  definePresenter({
    subjectType: 'enrichment',
    schema: EnrichmentJob,
    list: async (tx, ids) => (await listJobsByIds(tx, ids)).map((job) => [job.id, toEnrichmentJob(job)]),
  }),
  definePresenter({
    subjectType: 'enrichment_suggestion',
    schema: Suggestion,
    list: async (tx, ids) => (await listSuggestionsByIds(tx, ids)).map((row) => [row.id, row]),
  }),
]
