import { emailKindPoint } from '#modules/email'
import { extend, type Module } from '#platform/module'
import { surveyLinkRoutes } from './design/links/links.routes.ts'
import { questionRoutes } from './design/questions/questions.routes.ts'
import { surveySettings } from './design/settings/survey-settings.ts'
import { surveyChecks } from './integrity/survey.checks.ts'
import { effectSubscriptions } from './responses/effects/effects.subscriptions.ts'
import { respondRoutes } from './responses/respond/respond.public.routes.ts'
import { responseRoutes } from './responses/responses/responses.routes.ts'
import { surveyPageRoutes } from './responses/survey-pages/survey-pages.public.routes.ts'
import { surveyPresenter } from './responses/surveys/survey.presenter.ts'
import { surveyRoutes } from './responses/surveys/surveys.routes.ts'
import { analyticsRoutes } from './results/analytics/analytics.routes.ts'
import { surveyErasure } from './results/erasure/survey.erasures.ts'
import { exportSurveyHandler } from './results/exports/export-survey.jobs.ts'
import { exportErasure } from './results/exports/exports.erasures.ts'
import { exportPurpose } from './results/exports/exports.purposes.ts'
import { exportRoutes } from './results/exports/exports.routes.ts'
import {
  closeSurveysSchedule,
  deleteRespondentsHandler,
  publishResultsHandler,
  purgeSurveysSchedule,
} from './results/maintenance/maintenance.jobs.ts'
import { surveySample } from './sample-data/survey-sample.ts'
import { distributeHandler, revokeInvitationsHandler } from './sending/distributions/distribute.jobs.ts'
import { distributionEmails } from './sending/distributions/distribution-emails.ts'
import { distributionRoutes } from './sending/distributions/distributions.routes.ts'
import { distributionSubscriptions } from './sending/distributions/distributions.subscriptions.ts'
import { sendRemindersHandler } from './sending/distributions/send-reminders.jobs.ts'
import { invitationRoutes } from './sending/invitations/invitations.routes.ts'
import { surveyErrors } from './surveys.errors.ts'
import * as events from './surveys.events.ts'
import { surveyReferences } from './surveys.references.ts'
import { surveysTables } from './surveys.tables.ts'

export const surveys: Module = {
  name: 'surveys',
  purpose: 'Surveys of contacts and leads: questions, invitations, responses and results.',
  uses: ['identity', 'crm', 'email', 'marketing'],
  schema: 'surveys',
  routes: (services) => async (app) => {
    await app.register(respondRoutes(services))
    await app.register(surveyPageRoutes(services))
    await app.register(surveyRoutes(services))
    await app.register(questionRoutes(services))
    await app.register(surveyLinkRoutes(services))
    await app.register(responseRoutes)
    await app.register(distributionRoutes(services))
    await app.register(invitationRoutes)
    await app.register(analyticsRoutes(services))
    await app.register(exportRoutes(services))
  },
  tables: surveysTables,
  errors: surveyErrors,
  events: Object.values(events),
  schedules: (services) => [closeSurveysSchedule(services), purgeSurveysSchedule(services)],
  subscriptions: [...distributionSubscriptions, ...effectSubscriptions],
  jobs: (services) => [
    deleteRespondentsHandler,
    publishResultsHandler(services),
    distributeHandler(services),
    sendRemindersHandler(services),
    revokeInvitationsHandler,
    exportSurveyHandler(services),
  ],
  settings: [surveySettings],
  erasures: [surveyErasure, exportErasure],
  integrityChecks: () => surveyChecks,
  sampleData: (services) => [surveySample(services)],
  mergeReferences: surveyReferences,
  filePurposes: () => [exportPurpose],
  eventPresenters: [surveyPresenter],
  extensions: [extend(emailKindPoint, distributionEmails)],
}
