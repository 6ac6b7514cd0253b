import { daysLater } from '#platform/clock'
import { retryOnContention, type TenantTx } from '#platform/db'
import { defineFrequentTenantSchedule, defineJobHandler, defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { deleteSurveyRow, lockSurveyIncludingDeleted } from '../../design/survey-records/surveys.queries.ts'
import { hasEnded } from '../../design/survey-records/surveys.rules.ts'
import { publishResults } from '../../responses/responses/publish-results.service.ts'
import { deleteRespondentRows } from '../../responses/responses/respondents.queries.ts'
import { closeSurvey } from '../../responses/surveys/close-survey.service.ts'
import { deleteRespondentsBatch, deleteRespondentsJob } from '../../responses/surveys/delete-respondents-job.ts'
import { publishResultsJob } from '../../responses/surveys/publish-results-job.ts'
import { deletedSurveyDays } from '../../surveys.tables.ts'
import {
  deleteSurveyRows,
  findPurgeableSurveyId,
  listDueSurveyIds,
  listTenantsWithDeletedSurveys,
  listTenantsWithDueSurveys,
} from './maintenance.queries.ts'

const closeBatchSize = 50
const purgeBatchSize = 1_000

/** Every request checks `closes_at` itself; the schedule sets the status and releases waiting responses. */
export const closeSurveysSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineFrequentTenantSchedule('surveys.close_surveys', '* * * * *', {
    listTenants: (tx) => listTenantsWithDueSurveys(tx, clock.now()),
    async runForTenant({ inTenant, signal }) {
      let ids: string[]
      do {
        ids = await inTenant((tx) => listDueSurveyIds(tx, clock.now(), closeBatchSize))
        for (const id of ids) {
          signal.throwIfAborted()
          await retryOnContention(() => inTenant((tx) => closeDueSurvey(tx, id, clock.now())), signal)
        }
      } while (ids.length === closeBatchSize)
    },
  })

async function closeDueSurvey(tx: TenantTx, surveyId: string, now: Date): Promise<void> {
  const survey = await lockSurveyIncludingDeleted(tx, surveyId)
  const isOpen = survey.status === 'active' || survey.status === 'paused'
  if (isOpen && survey.deleted_at === null && hasEnded(survey, now)) await closeSurvey(tx, survey, 'closes_at', now)
}

export const purgeSurveysSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('surveys.purge_surveys', '31 3 * * *', {
    listTenants: (tx) => listTenantsWithDeletedSurveys(tx, daysLater(clock.now(), -deletedSurveyDays)),
    async runForTenant({ inTenant, signal }) {
      const before = daysLater(clock.now(), -deletedSurveyDays)
      let isDone = false
      while (!isDone) {
        signal.throwIfAborted()
        isDone = await retryOnContention(() => inTenant((tx) => purgeBatch(tx, before)), signal)
      }
    },
  })

async function purgeBatch(tx: TenantTx, before: Date): Promise<boolean> {
  const surveyId = await findPurgeableSurveyId(tx, before)
  if (surveyId === undefined) return true
  await lockSurveyIncludingDeleted(tx, surveyId)
  if (!(await deleteSurveyRows(tx, surveyId, purgeBatchSize))) await deleteSurveyRow(tx, surveyId)
  return false
}

export const deleteRespondentsHandler = defineJobHandler(
  deleteRespondentsJob,
  async ({ inTenant }, { survey_id: surveyId }) => {
    let deleted: number
    do deleted = await inTenant((tx) => deleteOfClosedSurvey(tx, surveyId))
    while (deleted > 0)
  },
)

export const publishResultsHandler = ({ clock }: Pick<Services, 'clock'>) =>
  defineJobHandler(publishResultsJob, async ({ inTenant }, { survey_id: surveyId }) => {
    await inTenant(async (tx) => {
      const survey = await lockSurveyIncludingDeleted(tx, surveyId)
      await publishResults(tx, survey, survey.closed_at ?? clock.now())
    })
  })

/** A survey that was opened again in the meantime keeps its drafts. */
async function deleteOfClosedSurvey(tx: TenantTx, surveyId: string): Promise<number> {
  const survey = await lockSurveyIncludingDeleted(tx, surveyId)
  return survey.status === 'closed' ? await deleteRespondentRows(tx, surveyId, deleteRespondentsBatch) : 0
}
