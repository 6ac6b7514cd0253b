import type { Services } from '#platform/module'
import { checkDealSumsSchedule, foldDealDeltasSchedule } from './deals/forecast/deal-sums.jobs.ts'
import { recalculateBaseAmountsHandler } from './deals/opportunities/base-amounts.jobs.ts'
import { exportRecordsHandler } from './exchange/exports/export-records.jobs.ts'
import { importRecordsHandler, undoImportHandler } from './exchange/imports/import-records.jobs.ts'
import { customFieldJobHandlers } from './lookup/custom-fields/custom-fields.jobs.ts'
import { syncAccountContactsHandler } from './people/accounts/account-contacts.jobs.ts'
import { foldOpenLeadCountsSchedule } from './people/assignment/open-leads.jobs.ts'
import { projectConsentHandler } from './people/consent/project-consent.jobs.ts'
import { decayScoresSchedule, rescoreLeadsHandler } from './people/scoring/rescore.jobs.ts'
import { checkSlaHandler } from './people/sla/sla.jobs.ts'
import { uploadSuppressionsHandler } from './people/suppressions/suppressions.jobs.ts'
import { erasePersonHandler } from './privacy/erasure/erase-person.jobs.ts'
import { previewErasureHandler } from './privacy/erasure-preview/preview-erasure.jobs.ts'
import { purgeDeletedSchedule } from './records/removal/purge-deleted.jobs.ts'
import { recomputeCreatedOnHandler } from './work/analytics/created-on.jobs.ts'
import { foldLeadDeltasSchedule, recountRollupsSchedule } from './work/analytics/rollups.jobs.ts'
import { bulkUpdateHandler } from './work/bulk/bulk.jobs.ts'
import { undoBulkHandler } from './work/bulk/undo-bulk.jobs.ts'
import { contactBulk } from './work/contact-bulk/contact-bulk-kind.ts'
import { linkActivitiesHandler } from './work/convert/link-activities.jobs.ts'
import { leadBulk } from './work/lead-bulk/lead-bulk-kind.ts'

export const crmJobs = (services: Services) => [
  checkSlaHandler(services),
  syncAccountContactsHandler(services),
  rescoreLeadsHandler(services),
  recomputeCreatedOnHandler(services),
  recalculateBaseAmountsHandler,
  linkActivitiesHandler,
  ...[leadBulk, contactBulk].flatMap((kind) => [bulkUpdateHandler(kind, services), undoBulkHandler(kind, services)]),
  projectConsentHandler(services),
  uploadSuppressionsHandler(services),
  ...customFieldJobHandlers,
  erasePersonHandler(services),
  previewErasureHandler(services),
  exportRecordsHandler(services),
  importRecordsHandler(services),
  undoImportHandler(services),
]

export const crmSchedules = (services: Services) => [
  purgeDeletedSchedule(services),
  decayScoresSchedule(services),
  foldLeadDeltasSchedule,
  recountRollupsSchedule,
  foldOpenLeadCountsSchedule,
  foldDealDeltasSchedule,
  checkDealSumsSchedule,
]
