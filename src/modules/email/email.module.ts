import { sentEmailsPoint } from '#modules/crm'
import { extend, type Module } from '#platform/module'
import * as events from './email.events.ts'
import { emailReferences } from './email.references.ts'
import { emailTables } from './email.tables.ts'
import { emailErasures } from './erasure/email.erasures.ts'
import { dispatchEmailsHandler } from './messages/dispatch-emails.jobs.ts'
import { emailEventRoutes } from './messages/email-events.routes.ts'
import { listRecordsWithSentEmails } from './messages/email-lookup.queries.ts'
import { uncertainEmailsCheck } from './messages/messages.checks.ts'
import { unsubscribeRoutes } from './unsubscribe/unsubscribe.public.routes.ts'

export const email: Module = {
  name: 'email',
  purpose: 'Marketing email: templates, sending, limits, unsubscribing, bounces and replies.',
  uses: ['identity', 'crm'],
  schema: 'crm',
  reads: ['crm.contacts', 'crm.leads'],
  routes: (services) => async (app) => {
    await app.register(emailEventRoutes(services))
    await app.register(unsubscribeRoutes(services))
  },
  tables: emailTables,
  events: Object.values(events),
  jobs: (services) => [dispatchEmailsHandler(services)],
  erasures: emailErasures,
  mergeReferences: emailReferences,
  integrityChecks: () => [uncertainEmailsCheck],
  extensions: [extend(sentEmailsPoint, [listRecordsWithSentEmails])],
}
