import { defineJob } from '#platform/jobs'
import { Id, strict } from '#platform/schema'

export const deleteRespondentsBatch = 5_000

/** Deletes the drafts and used tokens of a closed survey that its closing transaction left. */
export const deleteRespondentsJob = defineJob('surveys.delete_respondents', 'maintenance', strict({ survey_id: Id }))
