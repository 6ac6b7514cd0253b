import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { SurveyParams } from '../../design/survey-records/surveys.schemas.ts'
import { Invitation, InvitationParams, InvitationQuery } from './invitations.schemas.ts'
import { deleteSurveyInvitation, listSurveyInvitations } from './invitations.service.ts'

export const invitationRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/surveys/:survey_id/invitations',
    config: { scope: 'surveys.read' },
    schema: {
      operationId: 'listSurveyInvitations',
      summary: 'List invitations to a survey',
      description:
        'Ordered by `created_at`, latest first. Of an anonymous survey, only `email` and `sent_at` are shown. Without the scope ' +
        '`contacts.read` or `leads.read`, the fields `email`, `name`, `contact_id` and `lead_id` of such recipients are null; those of other ' +
        'recipients and `search` require both.',
      params: SurveyParams,
      querystring: InvitationQuery,
      response: { 200: pageOf(Invitation) },
    },
    handler: (request) =>
      request.inTenant((tx) => listSurveyInvitations(tx, request.actor, request.params.survey_id, request.query)),
  })

  app.route({
    method: 'DELETE',
    url: '/api/surveys/:survey_id/invitations/:invitation_id',
    config: { scope: 'surveys.delete' },
    schema: {
      operationId: 'deleteSurveyInvitation',
      summary: 'Revoke an invitation',
      description:
        'The link of an open invitation no longer works, and an email that waits is not sent. Allowed for the owner of the survey, managers and admins.',
      params: InvitationParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => {
      const { survey_id, invitation_id } = request.params
      return request.inTenant((tx) => deleteSurveyInvitation(tx, request.actor, survey_id, invitation_id))
    },
  })
}
