import { defineJob } from '#platform/jobs'
import { Id, strict } from '#platform/schema'

/** The closing transaction stores the results of up to this many responses. */
export const publishedInRequest = 1_000

/** Stores the results of a closed anonymous survey with more responses. */
export const publishResultsJob = defineJob('surveys.publish_results', 'maintenance', strict({ survey_id: Id }))
