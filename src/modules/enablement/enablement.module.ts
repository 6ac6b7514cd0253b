import type { Module } from '#platform/module'
import * as events from './enablement.events.ts'
import { enablementTables } from './enablement.tables.ts'

export const enablement: Module = {
  name: 'enablement',
  purpose: 'Sales content, collections and rooms shared with buyers.',
  uses: ['identity', 'crm'],
  routes: () => async () => {},
  tables: enablementTables,
  events: Object.values(events),
}
