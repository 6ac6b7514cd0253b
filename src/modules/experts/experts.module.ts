import type { Module } from '#platform/module'
import { expertSettings } from './directory/expert-settings.ts'
import { expertErasure } from './directory/experts.erasures.ts'
import { deactivateExpertHandler, onExpertRoleChanged, onExpertUserDeactivated } from './directory/experts.jobs.ts'
import { expertRoutes } from './directory/experts.routes.ts'
import { expertErrors } from './experts.errors.ts'
import * as events from './experts.events.ts'
import { expertPresenters } from './experts.presenters.ts'
import { expertReferences } from './experts.references.ts'
import { expertTables } from './experts.tables.ts'
import { expertChecks } from './integrity/experts.checks.ts'
import { advanceRequestsSchedule, onExpertFree, routeRequestsHandler } from './requests/requests.jobs.ts'
import { expertRequestRoutes } from './requests/requests.routes.ts'
import { expertsSample } from './sample-data/experts-sample.ts'

export const experts: Module = {
  name: 'experts',
  purpose: 'Directory of experts, and questions to them.',
  uses: ['identity', 'crm', 'library'],
  schema: 'enablement',
  routes: (services) => async (app) => {
    await app.register(expertRoutes(services))
    await app.register(expertRequestRoutes(services))
  },
  tables: expertTables,
  errors: expertErrors,
  events: Object.values(events),
  schedules: (services) => [advanceRequestsSchedule(services)],
  jobs: (services) => [routeRequestsHandler(services), deactivateExpertHandler(services)],
  subscriptions: [onExpertFree, onExpertUserDeactivated, onExpertRoleChanged],
  integrityChecks: (services) => expertChecks(services),
  sampleData: () => [expertsSample],
  erasures: [expertErasure],
  mergeReferences: expertReferences,
  eventPresenters: expertPresenters,
  settings: [expertSettings],
}
