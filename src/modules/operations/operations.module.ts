import { listTenantIds, readSettings } from '#modules/identity'
import {
  extractTextHandler,
  previewFileHandler,
  purgeFileHandler,
  purgeFilesSchedule,
  scanFileHandler,
  sweepFilesSchedule,
} from '#platform/files'
import type { Module } from '#platform/module'
import { deleteOldNotificationsSchedule, sendNotificationEmailHandler } from '#platform/notify'
import { deleteOldTasksSchedule, requeueLostTasksSchedule, taskEvents } from '#platform/tasks'
import { architectureRoutes } from './architecture/architecture.routes.ts'
import { auditLogRoutes } from './audit-log/audit-log.routes.ts'
import { backupPresenter } from './backups/backup.presenter.ts'
import { backUpTenantsSchedule, createBackupHandler } from './backups/backups.jobs.ts'
import { backupRoutes } from './backups/backups.routes.ts'
import { onSendersStopped } from './backups/notify-senders-stopped.subscriptions.ts'
import { cleanDataHandler, endLostCleaningsSchedule } from './clean-data/clean-data.jobs.ts'
import { cleanDataRoutes } from './clean-data/clean-data.routes.ts'
import { codeViewerRoutes } from './code-viewer/code-viewer.routes.ts'
import { platformErasures } from './erasure/platform.erasures.ts'
import { clientErrorRoutes } from './health/client-errors.routes.ts'
import { publicHealthRoutes } from './health/health.public.routes.ts'
import { healthAuditRoutes } from './health/health-audit.routes.ts'
import { checkIntegrityHandler, checkIntegritySchedule, repairFindingsHandler } from './integrity/integrity.jobs.ts'
import { integrityRoutes } from './integrity/integrity.routes.ts'
import { platformChecks } from './integrity/platform.checks.ts'
import * as operationsEvents from './operations.events.ts'
import { operationsTables } from './operations.tables.ts'
import { restoreBackupHandler } from './restore/restore.jobs.ts'
import { restoreRoutes } from './restore/restore.routes.ts'
import { purgeOldRowsSchedule } from './retention/retention.jobs.ts'
import { notificationSample } from './sample-data/notification-sample.ts'
import { loadSampleDataHandler, removeSampleDataHandler } from './sample-data/sample-data.jobs.ts'
import { sampleDataRoutes } from './sample-data/sample-data.routes.ts'
import { webhookSample } from './sample-data/webhook-sample.ts'
import { slowQueriesRoutes } from './slow-queries/slow-queries.routes.ts'
import { systemStatsRoutes } from './system-stats/system-stats.routes.ts'
import { tasksRoutes } from './tasks/tasks.routes.ts'
import { webhookCatalogueRoutes } from './webhook-catalogue/webhook-catalogue.routes.ts'
import { webhookSubscription } from './webhook-deliveries/create-deliveries.service.ts'
import { recoverDeliveriesHandler } from './webhook-deliveries/recover-deliveries.jobs.ts'
import { deliveryErasure } from './webhook-deliveries/webhook-deliveries.erasures.ts'
import { webhookDeliveryRoutes } from './webhook-deliveries/webhook-deliveries.routes.ts'
import { dispatchWebhooksHandler } from './webhook-dispatch/dispatch-webhooks.jobs.ts'
import { onEndpointOwnerDeactivated, onEndpointOwnerRoleChanged } from './webhook-dispatch/lost-owner.subscriptions.ts'
import { skipDeliveriesHandler } from './webhook-endpoints/skip-deliveries.service.ts'
import { webhookEndpointPresenter } from './webhook-endpoints/webhook-endpoint.presenter.ts'
import { webhookEndpointRoutes } from './webhook-endpoints/webhook-endpoints.routes.ts'

export const operations: Module = {
  name: 'operations',
  purpose: 'Webhooks, health checks, background tasks, the audit log, data integrity, statistics and data retention',
  uses: ['identity', 'crm', 'email', 'marketing', 'surveys', 'rooms'],
  schema: 'operations',
  reads: ['platform.outbox_events'],
  routes: (services) => async (app) => {
    await app.register(publicHealthRoutes(services))
    await app.register(healthAuditRoutes(services))
    await app.register(clientErrorRoutes(services))
    await app.register(tasksRoutes(services))
    await app.register(auditLogRoutes)
    await app.register(architectureRoutes(services))
    await app.register(codeViewerRoutes(services))
    await app.register(systemStatsRoutes(services))
    await app.register(slowQueriesRoutes)
    await app.register(integrityRoutes(services))
    await app.register(backupRoutes(services))
    await app.register(sampleDataRoutes(services))
    await app.register(cleanDataRoutes(services))
    await app.register(restoreRoutes(services))
    await app.register(webhookCatalogueRoutes(services))
    await app.register(webhookEndpointRoutes(services))
    await app.register(webhookDeliveryRoutes(services))
  },
  tables: operationsTables,
  subscriptions: [webhookSubscription, onEndpointOwnerDeactivated, onEndpointOwnerRoleChanged, onSendersStopped],
  events: [...taskEvents, ...Object.values(operationsEvents)],
  jobs: (services) => [
    sendNotificationEmailHandler({ ...services, mailDomain: services.config.APP_DOMAIN }),
    scanFileHandler(services.files.context),
    previewFileHandler(services.files.context),
    extractTextHandler(services.files.context),
    purgeFileHandler(services.files.context),
    checkIntegrityHandler(services),
    createBackupHandler(services),
    loadSampleDataHandler(services),
    removeSampleDataHandler(services),
    cleanDataHandler(services),
    restoreBackupHandler(services),
    repairFindingsHandler(services),
    dispatchWebhooksHandler(services),
    skipDeliveriesHandler(services),
    recoverDeliveriesHandler(services),
  ],
  schedules: (services) => [
    purgeOldRowsSchedule(services),
    requeueLostTasksSchedule,
    deleteOldTasksSchedule({
      ...services,
      // The smallest value that the setting accepts.
      minRetentionDays: 7,
      getRetentionDays: async (tx) => (await readSettings(tx, 'retention')).task_days,
    }),
    deleteOldNotificationsSchedule(services.clock),
    purgeFilesSchedule(services),
    sweepFilesSchedule({ ...services, listTenants: listTenantIds }),
    checkIntegritySchedule(services),
    backUpTenantsSchedule(services),
    endLostCleaningsSchedule,
  ],
  sampleData: (services) => [webhookSample(services), notificationSample],
  integrityChecks: platformChecks,
  erasures: [...platformErasures, deliveryErasure],
  eventPresenters: [backupPresenter, webhookEndpointPresenter],
}
