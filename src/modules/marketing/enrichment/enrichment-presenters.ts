import type { EventPresenter } from '#platform/module'
import { listJobsByIds } from './jobs/enrichment-jobs.queries.ts'
import { EnrichmentJob } from './jobs/enrichment-jobs.schemas.ts'
import { toEnrichmentJob } from './jobs/get-enrichment-status.service.ts'
import { listSuggestionsByIds } from './suggestions/suggestions.queries.ts'
import { Suggestion } from './suggestions/suggestions.schemas.ts'

export const enrichmentPresenters: EventPresenter[] = [
  {
    subjectType: 'enrichment',
    schema: EnrichmentJob,
    list: async (tx, ids) => new Map((await listJobsByIds(tx, ids)).map((job) => [job.id, toEnrichmentJob(job)])),
  },
  {
    subjectType: 'enrichment_suggestion',
    schema: Suggestion,
    list: async (tx, ids) => new Map((await listSuggestionsByIds(tx, ids)).map((row) => [row.id, row])),
  },
]
