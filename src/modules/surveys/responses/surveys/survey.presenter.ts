import { definePresenter } from '#platform/module'
import { Survey } from '../../design/survey-records/survey-details.schemas.ts'
import { listSurveysByIds } from '../../design/survey-records/surveys.queries.ts'
import { listSurveyDetails } from './survey-details.service.ts'

export const surveyPresenter = definePresenter({
  subjectType: 'survey',
  schema: Survey,
  async list(tx, ids) {
    const surveys = await listSurveyDetails(tx, await listSurveysByIds(tx, ids))
    return surveys.map((survey) => [survey.id, survey])
  },
})
