import type { Module } from '#platform/module'
import { contentRoutes } from './content/content.routes.ts'
import { contentViewRoutes } from './content-views/views.routes.ts'
import * as events from './enablement.events.ts'
import { enablementTables } from './enablement.tables.ts'
import { enablementSettings } from './settings/enablement-settings.ts'

export const enablement: Module = {
  name: 'enablement',
  purpose: 'Sales content, collections and rooms shared with buyers.',
  uses: ['identity', 'crm'],
  routes: (services) => async (app) => {
    await app.register(contentRoutes(services, { removeEntries: [] }))
    await app.register(contentViewRoutes(services))
  },
  tables: enablementTables,
  events: Object.values(events),
  settings: [enablementSettings],
}
