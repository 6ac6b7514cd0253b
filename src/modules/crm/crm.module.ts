import { forecastSourcePoint, homePartPoint, profilePartPoint, searchSourcePoint } from '#modules/identity'
import { extend, type Module } from '#platform/module'
import { crmErrors } from './crm.errors.ts'
import * as events from './crm.events.ts'
import { crmJobs, crmSchedules } from './crm.jobs.ts'
import { crmReferences } from './crm.references.ts'
import { crmTables } from './crm.tables.ts'
import { dealBoardRoutes } from './deals/deal-board/deal-board.routes.ts'
import { dealContactRoutes } from './deals/deal-contacts/deal-contacts.routes.ts'
import { forecastRoutes } from './deals/forecast/forecast.routes.ts'
import { forecastSource } from './deals/forecast/forecast-source.ts'
import { onCurrencyRatesChanged } from './deals/opportunities/base-amounts.jobs.ts'
import { opportunityRoutes } from './deals/opportunities/opportunities.routes.ts'
import { onAccountRenamed } from './deals/opportunities/opportunities.subscriptions.ts'
import { opportunityPresenter } from './deals/opportunities/opportunity.presenter.ts'
import { opportunityFact } from './deals/opportunities/opportunity-fact.queries.ts'
import { pipelineRoutes } from './deals/pipelines/pipelines.routes.ts'
import { onExportTaskEnded } from './exchange/exports/export-records.jobs.ts'
import { exportErasure } from './exchange/exports/exports.erasures.ts'
import { recordExportPurpose } from './exchange/exports/exports.purposes.ts'
import { exportedTypes, exportRoutes } from './exchange/exports/exports.routes.ts'
import { onImportTaskEnded } from './exchange/imports/import-records.jobs.ts'
import { abandonedImportsCheck } from './exchange/imports/imports.checks.ts'
import { importErasures } from './exchange/imports/imports.erasures.ts'
import { importPurpose } from './exchange/imports/imports.purposes.ts'
import { importedTypes, importRoutes } from './exchange/imports/imports.routes.ts'
import { crmChecks } from './integrity/crm.checks.ts'
import { customFieldPresenter } from './lookup/custom-fields/custom-field.presenter.ts'
import { customFieldRoutes } from './lookup/custom-fields/custom-fields.routes.ts'
import { crmSearchSources } from './lookup/record-search/search-sources.ts'
import { accountPresenter } from './people/accounts/account.presenter.ts'
import { accountRoutes } from './people/accounts/accounts.routes.ts'
import { consentRoutes, personKinds } from './people/consent/consent.routes.ts'
import { contactPresenter } from './people/contacts/contact.presenter.ts'
import { contactRoutes } from './people/contacts/contacts.routes.ts'
import { duplicateRoutes } from './people/duplicates/duplicates.routes.ts'
import { leadSourceRoutes } from './people/lead-sources/lead-sources.routes.ts'
import { leadPresenter } from './people/leads/lead.presenter.ts'
import { leadRoutes } from './people/leads/leads.routes.ts'
import { scoringRoutes } from './people/scoring/scoring.routes.ts'
import { scoringConfigPresenter } from './people/scoring/scoring-config.presenter.ts'
import { suppressionRoutes } from './people/suppressions/suppressions.routes.ts'
import { mentionErasures, personErasures } from './privacy/erasure/crm.erasures.ts'
import { onErasureTaskEnded } from './privacy/erasure/erase-person.jobs.ts'
import { erasureRoutes } from './privacy/erasure/erasure.routes.ts'
import { erasurePreviewRoutes } from './privacy/erasure-preview/erasure-preview.routes.ts'
import { crmSettingsRoutes } from './records/settings/crm-settings.routes.ts'
import { crmSettingsSubscriptions } from './records/settings/crm-settings.subscriptions.ts'
import { crmSettings } from './records/settings/crm-settings.ts'
import { crmSample } from './sample-data/crm-sample.ts'
import { importSample } from './sample-data/import-sample.ts'
import { parentKinds } from './work/activities/activities.queries.ts'
import { activityRoutes } from './work/activities/activities.routes.ts'
import { activityFact } from './work/activities/activity-fact.queries.ts'
import { openTaskRoutes } from './work/activities/open-tasks.routes.ts'
import { assistRoutes } from './work/ai-drafts/assist.routes.ts'
import { analyticsRoutes } from './work/analytics/analytics.routes.ts'
import { onTimezoneChanged } from './work/analytics/created-on.jobs.ts'
import { bulkChangesErasure } from './work/bulk/bulk.erasures.ts'
import { contactBulkActions } from './work/contact-bulk/contact-actions.ts'
import { contactBulkRoutes } from './work/contact-bulk/contact-bulk.routes.ts'
import { contactBulkActionPoint } from './work/contact-bulk/contact-bulk-kind.ts'
import { convertRoutes } from './work/convert/convert.routes.ts'
import { deletedRecordRoutes } from './work/deleted-records/deleted-records.routes.ts'
import { crmHomeParts } from './work/home/home-parts.ts'
import { leadBulkActions } from './work/lead-bulk/lead-actions.ts'
import { leadBulkRoutes } from './work/lead-bulk/lead-bulk.routes.ts'
import { leadBulkActionPoint } from './work/lead-bulk/lead-bulk-kind.ts'
import { mergeRoutes } from './work/merge/merge.routes.ts'
import { crmProfileParts } from './work/profile/profile-parts.ts'

export const crm: Module = {
  name: 'crm',
  purpose: 'Leads, contacts, accounts and deals: lists, scoring, activities, conversion and analytics.',
  uses: ['identity'],
  schema: 'crm',
  reads: ['platform.background_tasks'],
  routes: (services) => async (app) => {
    await app.register(crmSettingsRoutes)
    await app.register(leadRoutes(services))
    await app.register(leadSourceRoutes)
    await app.register(contactRoutes(services))
    for (const kind of personKinds) await app.register(consentRoutes(kind, services))
    await app.register(accountRoutes(services))
    for (const kind of parentKinds) await app.register(activityRoutes(kind, services))
    await app.register(openTaskRoutes)
    await app.register(deletedRecordRoutes(services))
    await app.register(scoringRoutes(services))
    await app.register(assistRoutes(services))
    await app.register(analyticsRoutes(services))
    await app.register(pipelineRoutes(services))
    await app.register(forecastRoutes(services))
    await app.register(dealBoardRoutes(services))
    await app.register(opportunityRoutes(services))
    await app.register(dealContactRoutes(services))
    await app.register(duplicateRoutes)
    await app.register(convertRoutes(services))
    await app.register(leadBulkRoutes(services))
    await app.register(contactBulkRoutes(services))
    await app.register(mergeRoutes(services))
    await app.register(customFieldRoutes(services))
    await app.register(erasureRoutes(services))
    await app.register(erasurePreviewRoutes)
    await app.register(suppressionRoutes(services))
    for (const type of exportedTypes) await app.register(exportRoutes(type, services))
    for (const type of importedTypes) await app.register(importRoutes(type, services))
  },
  tables: crmTables,
  errors: crmErrors,
  events: Object.values(events),
  subscriptions: [
    ...crmSettingsSubscriptions,
    onCurrencyRatesChanged,
    onAccountRenamed,
    onTimezoneChanged,
    onErasureTaskEnded,
    onExportTaskEnded,
    onImportTaskEnded,
  ],
  jobs: crmJobs,
  schedules: crmSchedules,
  erasures: [...mentionErasures, ...importErasures, bulkChangesErasure, ...personErasures, exportErasure],
  settings: [crmSettings],
  integrityChecks: (services) => [...crmChecks(services), abandonedImportsCheck],
  sampleData: (services) => [crmSample(services), importSample],
  ruleFacts: [activityFact, opportunityFact],
  mergeReferences: crmReferences,
  filePurposes: () => [recordExportPurpose, importPurpose],
  eventPresenters: [
    leadPresenter,
    contactPresenter,
    accountPresenter,
    opportunityPresenter,
    customFieldPresenter,
    scoringConfigPresenter,
  ],
  extensions: [
    extend(profilePartPoint, crmProfileParts),
    extend(homePartPoint, crmHomeParts),
    extend(searchSourcePoint, crmSearchSources),
    extend(forecastSourcePoint, [forecastSource]),
    extend(leadBulkActionPoint, leadBulkActions),
    extend(contactBulkActionPoint, contactBulkActions),
  ],
}
