import type { Module } from '#platform/module'
import * as events from './marketing.events.ts'
import { marketingReferences } from './marketing.references.ts'
import { marketingTables } from './marketing.tables.ts'

export const marketing: Module = {
  name: 'marketing',
  purpose: 'Segments, campaigns and enrichment of leads, contacts and accounts.',
  uses: ['identity', 'crm'],
  routes: () => async () => {},
  tables: marketingTables,
  events: Object.values(events),
  mergeReferences: marketingReferences,
}
