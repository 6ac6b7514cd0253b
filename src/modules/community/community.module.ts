import type { Module } from '#platform/module'
import * as events from './community.events.ts'
import { communityTables } from './community.tables.ts'

export const community: Module = {
  name: 'community',
  purpose: 'Discussions of the workspace in community rooms.',
  uses: ['identity', 'crm', 'enablement'],
  routes: () => async () => {},
  tables: communityTables,
  events: Object.values(events),
}
