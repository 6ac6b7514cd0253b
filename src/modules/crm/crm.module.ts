import type { Module } from '#platform/module'
import { tellingContacts } from './accounts/account-contacts.jobs.ts'
import { accountRoutes } from './accounts/accounts.routes.ts'
import { parentKinds } from './activities/activities.queries.ts'
import { activityRoutes } from './activities/activities.routes.ts'
import { analyticsRoutes } from './analytics/analytics.routes.ts'
import { followingTimezone, redatingLeads } from './analytics/redate.jobs.ts'
import { rebuildDirtyDays } from './analytics/rollups.jobs.ts'
import { assistRoutes } from './assist/assist.routes.ts'
import { bookOfBusiness } from './book-of-business/book-of-business.ts'
import { changingLeads } from './bulk/bulk.jobs.ts'
import { bulkRoutes } from './bulk/bulk.routes.ts'
import { leadActions } from './bulk/lead-actions.ts'
import { contactRoutes } from './contacts/contacts.routes.ts'
import { carryingHistory } from './convert/carry-history.jobs.ts'
import { convertRoutes } from './convert/convert.routes.ts'
import * as events from './crm.events.ts'
import { crmTables } from './crm.tables.ts'
import { purgingDeleted } from './deleted/purge.jobs.ts'
import { duplicateRoutes } from './duplicates/duplicates.routes.ts'
import { leadRoutes } from './leads/leads.routes.ts'
import { checkingSla } from './leads/sla.jobs.ts'
import { mergeRoutes } from './merge/merge.routes.ts'
import { followingAccountNames } from './opportunities/account-names.ts'
import { forecastFigures } from './opportunities/forecast-figures.ts'
import { opportunityRoutes } from './opportunities/opportunities.routes.ts'
import { followingRates, rebasingOpportunities } from './opportunities/rebase.jobs.ts'
import { fadingScores, rescoringLeads } from './scoring/rescore.jobs.ts'
import { scoringRoutes } from './scoring/scoring.routes.ts'
import { crmSettingsRoutes } from './settings/crm-settings.routes.ts'
import { crmSettings } from './settings/crm-settings.ts'
import { settingsSubscriptions } from './settings/settings-subscriptions.ts'

/** Table of contents of the CRM. */
export const crm: Module = {
  name: 'crm',
  purpose: 'Whom to call next, why, and what became of it: leads, contacts, accounts and deals.',
  uses: ['identity'],
  routes: (services) => async (app) => {
    await app.register(crmSettingsRoutes)
    await app.register(leadRoutes(services))
    await app.register(contactRoutes(services))
    await app.register(accountRoutes(services))
    for (const kind of parentKinds) await app.register(activityRoutes(kind, services))
    await app.register(scoringRoutes(services))
    await app.register(assistRoutes(services))
    await app.register(analyticsRoutes(services))
    await app.register(opportunityRoutes(services))
    await app.register(duplicateRoutes)
    await app.register(convertRoutes(services))
    await app.register(bulkRoutes(services))
    await app.register(mergeRoutes(services))
  },
  tables: crmTables,
  events: Object.values(events),
  subscriptions: [...settingsSubscriptions, followingRates, followingAccountNames, followingTimezone],
  jobs: (services) => [
    checkingSla(services),
    tellingContacts(services),
    rescoringLeads(services),
    redatingLeads(services),
    rebasingOpportunities,
    carryingHistory,
    changingLeads(services),
  ],
  schedules: (services) => [purgingDeleted(services), fadingScores(services), rebuildDirtyDays],
  settings: [crmSettings],
  profileParts: bookOfBusiness,
  forecast: forecastFigures,
  bulkActions: leadActions,
}
