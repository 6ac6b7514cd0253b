import { type Routes, setAcceptedStatus } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { SurveyParams } from '../../design/survey-records/surveys.schemas.ts'
import { cancelSurveyDistribution } from './cancel-distribution.service.ts'
import { distributeSurvey } from './distribute-survey.service.ts'
import {
  Distribution,
  DistributionParams,
  DistributionPreview,
  DistributionQuery,
  NewDistribution,
  StartedDistribution,
} from './distributions.schemas.ts'
import { listSurveyDistributions } from './list-distributions.service.ts'

export const distributionRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/surveys/:survey_id/distribute',
      config: { scope: 'surveys.write', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'distributeSurvey',
        summary: 'Send a survey',
        description:
          'Sends invitations by email in a task; requires `contact_ids`, `lead_ids`, `segment_ids` or `emails`, together at most 50,000 persons. The survey must be active. Each email address gets one invitation; persons without an address, with an opt-out, with an open invitation to this survey or with an invitation to any survey in the last `surveys.throttle_days` are skipped. Members can send to `sending.daily_limit_unknown_addresses` email addresses that are no lead or contact, and without links to other domains in `subject` and `message`. Emails above the daily limits of the workspace are sent on the next days (`continues_at` of the distribution). `dry_run` returns only the numbers. An anonymous survey must have at least `min_group_size` recipients in total, with those of earlier distributions. Allowed for the owner of the survey, managers and admins.',
        params: SurveyParams,
        body: NewDistribution,
        response: { 200: DistributionPreview, 202: StartedDistribution },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) =>
          setAcceptedStatus(
            reply,
            await distributeSurvey(tx, request.actor, request.params.survey_id, request.body, services),
          ),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/surveys/:survey_id/distributions',
      config: { scope: 'surveys.read' },
      schema: {
        operationId: 'listSurveyDistributions',
        summary: 'List distributions of a survey',
        description: 'Ordered by `created_at`, latest first, with the numbers of sent and skipped invitations.',
        params: SurveyParams,
        querystring: DistributionQuery,
        response: { 200: pageOf(Distribution) },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          listSurveyDistributions(tx, request.params.survey_id, request.query, services.clock.now()),
        ),
    })

    app.route({
      method: 'POST',
      url: '/api/surveys/:survey_id/distributions/:distribution_id/cancel',
      config: { scope: 'surveys.write' },
      schema: {
        operationId: 'cancelSurveyDistribution',
        summary: 'Cancel a distribution',
        description:
          'Stops emails that are not sent yet, and all reminders. Links that were sent stay valid. Allowed for the owner of the survey, managers and admins.',
        params: DistributionParams,
        response: { 200: Distribution },
      },
      handler: (request) => {
        const { survey_id, distribution_id } = request.params
        const now = services.clock.now()
        return request.inTenant((tx) => cancelSurveyDistribution(tx, request.actor, survey_id, distribution_id, now))
      },
    })
  }
