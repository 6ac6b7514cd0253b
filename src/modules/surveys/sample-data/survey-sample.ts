import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { IntegrityRun, Random, RecordReference, SampleData, SampleStep, Services } from '#platform/module'
import { listLiveLinks } from '../design/links/links.queries.ts'
import { createSurveyLink, openLinkToken } from '../design/links/links.service.ts'
import type { NewSurvey } from '../design/survey-records/surveys.schemas.ts'
import { createSurveyResponse } from '../responses/respond/create-survey-response.service.ts'
import { createSurvey } from '../responses/surveys/create-survey.service.ts'
import { updateSurvey } from '../responses/surveys/update-survey.service.ts'
import { deleteSampleSurveys } from './remove-sample.queries.ts'
import { draftSurvey, sampleReasons, sampleSurveys } from './sample-surveys.ts'

/** Surveys with responses through their public links, so that no email is sent. */
export const surveySample = (services: Services): SampleData => ({
  name: 'surveys',
  plan: ({ random, now }) => [
    ...sampleSurveys.flatMap(({ key, survey, days, responses, isClosed }) => {
      const openedAt = daysLater(now, -days)
      const planned = planResponses(random, { openedAt, days, responses, type: survey.survey_type })
      return [
        createStep(services, key, survey, openedAt),
        ...planned.map((response) => respondStep(services, key, response)),
        ...(isClosed ? [closeStep(services, key, now)] : []),
      ]
    }),
    draftStep(services, now),
  ],
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const ids = records.filter(({ resource_type }) => resource_type === 'survey').map(({ id }) => id)
    await inTenant((tx) => deleteSampleSurveys(tx, ids))
    return []
  },
})

type PlannedResponse = { at: Date; score: number; reason: string | undefined }

/** Mostly satisfied respondents, spread over the time since the survey was opened. */
function planResponses(
  random: Random,
  {
    openedAt,
    days,
    responses,
    type,
  }: { openedAt: Date; days: number; responses: number; type: NewSurvey['survey_type'] },
): PlannedResponse[] {
  const scores = type === 'nps' ? [10, 10, 9, 9, 9, 8, 8, 7, 6, 4, 2] : [5, 5, 5, 4, 4, 4, 3, 2]
  return Array.from({ length: responses }, (_, index) => ({
    at: daysLater(openedAt, (days * (index + 0.5)) / responses),
    score: random.pick(scores),
    reason: random.chance(0.6) ? random.pick(sampleReasons) : undefined,
  }))
}

function createStep(services: Services, key: string, survey: NewSurvey, openedAt: Date): SampleStep {
  const context = { ...services, clock: { now: () => openedAt } }
  return {
    author: 'user:1',
    async run(tx, actor) {
      const { id } = await createSurvey(tx, actor, survey, context)
      await updateSurvey(tx, actor, id, { changes: { status: 'active' } }, context)
      await createSurveyLink(tx, actor, id, context)
      return [{ key, resource_type: 'survey', id }]
    },
  }
}

const respondStep = (services: Services, key: string, { at, score, reason }: PlannedResponse): SampleStep => ({
  async run(tx, _actor, idOf) {
    const token = await readToken(tx, idOf(key), services)
    const response = { answers: { score, ...(reason && { reason }) }, complete: true, submission_id: newId() }
    await createSurveyResponse(tx, { token, response }, { clock: { now: () => at } })
    return []
  },
})

async function readToken(tx: TenantTx, surveyId: string, services: Services): Promise<string> {
  const [link] = await listLiveLinks(tx, [surveyId])
  return openLinkToken(tx, link!, services)!
}

const closeStep = (services: Services, key: string, now: Date): SampleStep => ({
  author: 'user:1',
  async run(tx, actor, idOf) {
    await updateSurvey(
      tx,
      actor,
      idOf(key),
      { changes: { status: 'closed' } },
      { ...services, clock: { now: () => now } },
    )
    return []
  },
})

const draftStep = (services: Services, now: Date): SampleStep => ({
  async run(tx, actor) {
    const { id } = await createSurvey(tx, actor, draftSurvey, { ...services, clock: { now: () => now } })
    return [{ key: 'survey:4', resource_type: 'survey', id }]
  },
})
