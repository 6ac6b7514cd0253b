import { readSettings } from '#modules/identity'
import { verifyAuditChain } from '#platform/audit'
import type { Module } from '#platform/module'
import { deleteNotificationsOf, droppingNotifications, mailingNotifications } from '#platform/notify'
import { droppingTasks, requeueingLostTasks, taskEvents } from '#platform/tasks'
import { auditLogRoutes } from './audit-log/audit-log.routes.ts'
import { publicHealthRoutes } from './health/health.public.routes.ts'
import { healthAuditRoutes } from './health/health-audit.routes.ts'
import { purgingOldRows } from './retention/retention.jobs.ts'
import { tasksRoutes } from './tasks/tasks.routes.ts'

export const operations: Module = {
  name: 'operations',
  purpose: 'Shows whether the service works and what it works on, and keeps it in order',
  uses: ['identity'],
  routes: (services) => async (app) => {
    await app.register(publicHealthRoutes(services))
    await app.register(healthAuditRoutes(services))
    await app.register(tasksRoutes(services))
    await app.register(auditLogRoutes)
  },
  tables: {
    'platform.background_tasks': {
      export: 'skip',
      clean: 'never',
      audit_label: 'title',
      personal: ['title', 'result'],
      purge_after: { column: 'finished_at', days: { setting: 'retention.task_days' }, by: 'own_schedule' },
    },
    'platform.notifications': {
      export: 'skip',
      clean: 'business',
      personal: ['payload'],
      purge_after: { column: 'created_at', days: 90, by: 'own_schedule' },
    },
  },
  events: taskEvents,
  jobs: ({ mailer, config }) => [mailingNotifications({ mailer, mailDomain: config.APP_DOMAIN })],
  schedules: ({ clock, registry }) => [
    purgingOldRows({ clock, tables: registry.tables }),
    requeueingLostTasks,
    droppingTasks({ clock, daysKept: async (tx) => (await readSettings(tx, 'retention')).task_days }),
    droppingNotifications(clock),
  ],
  integrityChecks: [
    {
      code: 'audit_chain',
      title: 'The audit trail is not as it was sealed',
      severity: 'error',
      hint: 'Somebody changed it in the database. Compare with a backup; it is never repaired.',
      find: async (tx) => {
        const { mismatch } = await verifyAuditChain(tx, { latest: 100 })
        return mismatch ? [mismatch.sealId] : []
      },
    },
  ],
  erasures: [
    {
      name: 'notifications',
      erase: async (tx, forgotten) => ('user_id' in forgotten ? await deleteNotificationsOf(tx, forgotten.user_id) : 0),
    },
  ],
}
