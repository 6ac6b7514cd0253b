import { forecastSourcePoint, homePartPoint, profilePartPoint, searchSourcePoint } from '#modules/identity'
import { extend, type Module } from '#platform/module'
import { accountPresenter } from './accounts/account.presenter.ts'
import { syncAccountContactsHandler } from './accounts/account-contacts.jobs.ts'
import { accountRoutes } from './accounts/accounts.routes.ts'
import { parentKinds } from './activities/activities.queries.ts'
import { activityRoutes } from './activities/activities.routes.ts'
import { activityFact } from './activities/activity-fact.queries.ts'
import { openTaskRoutes } from './activities/open-tasks.routes.ts'
import { analyticsRoutes } from './analytics/analytics.routes.ts'
import { onTimezoneChanged, recomputeCreatedOnHandler } from './analytics/created-on.jobs.ts'
import { foldLeadDeltasSchedule, recountRollupsSchedule } from './analytics/rollups.jobs.ts'
import { foldOpenLeadCountsSchedule } from './assignment/open-leads.jobs.ts'
import { assistRoutes } from './assist/assist.routes.ts'
import { bulkUpdateLeadsHandler } from './bulk/bulk.jobs.ts'
import { bulkRoutes } from './bulk/bulk.routes.ts'
import { leadBulkActionPoint } from './bulk/bulk-action.ts'
import { leadBulkActions } from './bulk/lead-actions.ts'
import { consentRoutes, personKinds } from './consent/consent.routes.ts'
import { projectConsentHandler } from './consent/project-consent.jobs.ts'
import { contactPresenter } from './contacts/contact.presenter.ts'
import { contactRoutes } from './contacts/contacts.routes.ts'
import { convertRoutes } from './convert/convert.routes.ts'
import { linkActivitiesHandler } from './convert/link-activities.jobs.ts'
import { crmErrors } from './crm.errors.ts'
import * as events from './crm.events.ts'
import { crmReferences } from './crm.references.ts'
import { crmTables } from './crm.tables.ts'
import { customFieldPresenter } from './custom-fields/custom-field.presenter.ts'
import { customFieldJobHandlers } from './custom-fields/custom-fields.jobs.ts'
import { customFieldRoutes } from './custom-fields/custom-fields.routes.ts'
import { dealBoardRoutes } from './deal-board/deal-board.routes.ts'
import { dealContactRoutes } from './deal-contacts/deal-contacts.routes.ts'
import { duplicateRoutes } from './duplicates/duplicates.routes.ts'
import { crmErasures } from './erasure/crm-erasures.ts'
import { erasePersonHandler, onErasureTaskEnded } from './erasure/erase-person.jobs.ts'
import { erasureRoutes } from './erasure/erasure.routes.ts'
import { erasurePreviewRoutes } from './erasure-preview/erasure-preview.routes.ts'
import { previewErasureHandler } from './erasure-preview/preview-erasure.jobs.ts'
import { exportRecordsHandler, onExportTaskEnded } from './exports/export-records.jobs.ts'
import { exportErasure } from './exports/exports.erasure.ts'
import { recordExportPurpose } from './exports/exports.purpose.ts'
import { exportedTypes, exportRoutes } from './exports/exports.routes.ts'
import { checkDealSumsSchedule, foldDealDeltasSchedule } from './forecast/deal-sums.jobs.ts'
import { forecastRoutes } from './forecast/forecast.routes.ts'
import { forecastSource } from './forecast/forecast-source.ts'
import { crmHomeParts } from './home/home-parts.ts'
import { importRecordsHandler, onImportTaskEnded, undoImportHandler } from './imports/import-records.jobs.ts'
import { abandonedImportsCheck } from './imports/imports.check.ts'
import { importPurpose } from './imports/imports.purpose.ts'
import { importedTypes, importRoutes } from './imports/imports.routes.ts'
import { crmChecks } from './integrity/crm.checks.ts'
import { leadSourceRoutes } from './lead-sources/lead-sources.routes.ts'
import { leadPresenter } from './leads/lead.presenter.ts'
import { leadRoutes } from './leads/leads.routes.ts'
import { mergeRoutes } from './merge/merge.routes.ts'
import { onCurrencyRatesChanged, recalculateBaseAmountsHandler } from './opportunities/base-amounts.jobs.ts'
import { opportunityRoutes } from './opportunities/opportunities.routes.ts'
import { onAccountRenamed } from './opportunities/opportunities.subscriptions.ts'
import { opportunityPresenter } from './opportunities/opportunity.presenter.ts'
import { opportunityFact } from './opportunities/opportunity-fact.queries.ts'
import { pipelineRoutes } from './pipelines/pipelines.routes.ts'
import { crmProfileParts } from './profile/profile-parts.ts'
import { crmSearchSources } from './record-search/search-sources.ts'
import { purgeDeletedSchedule } from './records/purge-deleted.jobs.ts'
import { crmSample } from './sample-data/crm-sample.ts'
import { importSample } from './sample-data/import-sample.ts'
import { decayScoresSchedule, rescoreLeadsHandler } from './scoring/rescore.jobs.ts'
import { scoringRoutes } from './scoring/scoring.routes.ts'
import { scoringConfigPresenter } from './scoring/scoring-config.presenter.ts'
import { crmSettingsRoutes } from './settings/crm-settings.routes.ts'
import { crmSettingsSubscriptions } from './settings/crm-settings.subscriptions.ts'
import { crmSettings } from './settings/crm-settings.ts'
import { checkSlaHandler } from './sla/sla.jobs.ts'
import { uploadSuppressionsHandler } from './suppressions/suppressions.jobs.ts'
import { suppressionRoutes } from './suppressions/suppressions.routes.ts'

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
    await app.register(bulkRoutes(services))
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
  jobs: (services) => [
    checkSlaHandler(services),
    syncAccountContactsHandler(services),
    rescoreLeadsHandler(services),
    recomputeCreatedOnHandler(services),
    recalculateBaseAmountsHandler,
    linkActivitiesHandler,
    bulkUpdateLeadsHandler(services),
    projectConsentHandler(services),
    uploadSuppressionsHandler(services),
    ...customFieldJobHandlers,
    erasePersonHandler(services),
    previewErasureHandler(services),
    exportRecordsHandler(services),
    importRecordsHandler(services),
    undoImportHandler(services),
  ],
  schedules: (services) => [
    purgeDeletedSchedule(services),
    decayScoresSchedule(services),
    foldLeadDeltasSchedule,
    recountRollupsSchedule,
    foldOpenLeadCountsSchedule,
    foldDealDeltasSchedule,
    checkDealSumsSchedule,
  ],
  erasures: [...crmErasures, exportErasure],
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
  ],
}
