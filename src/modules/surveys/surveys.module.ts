import { emailKindPoint } from '#modules/email'
import { extend, type Module } from '#platform/module'
import { analyticsRoutes } from './analytics/analytics.routes.ts'
import { distributeHandler } from './distributions/distribute.jobs.ts'
import { distributionEmails } from './distributions/distribution-emails.ts'
import { distributionRoutes } from './distributions/distributions.routes.ts'
import { distributionSubscriptions } from './distributions/distributions.subscriptions.ts'
import { revokeInvitationsHandler } from './distributions/revoke-invitations.jobs.ts'
import { sendRemindersHandler } from './distributions/send-reminders.jobs.ts'
import { effectSubscriptions } from './effects/effects.subscriptions.ts'
import { surveyErasure } from './erasure/survey-erasure.ts'
import { exportSurveyHandler } from './exports/export-survey.jobs.ts'
import { exportErasure } from './exports/exports.erasure.ts'
import { exportPurpose } from './exports/exports.purpose.ts'
import { exportRoutes } from './exports/exports.routes.ts'
import { surveyChecks } from './integrity/survey.checks.ts'
import { invitationRoutes } from './invitations/invitations.routes.ts'
import { surveyLinkRoutes } from './links/links.routes.ts'
import { closeSurveysSchedule, deleteRespondentsHandler, purgeSurveysSchedule } from './maintenance/maintenance.jobs.ts'
import { questionRoutes } from './questions/questions.routes.ts'
import { respondRoutes } from './respond/respond.public.routes.ts'
import { responseRoutes } from './responses/responses.routes.ts'
import { surveySample } from './sample-data/survey-sample.ts'
import { surveySettings } from './settings/survey-settings.ts'
import { surveyPageRoutes } from './survey-pages/survey-pages.public.routes.ts'
import { surveyPresenter } from './surveys/survey.presenter.ts'
import { surveyRoutes } from './surveys/surveys.routes.ts'
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
