import type { SearchSource } from '#modules/identity'
import type { TaggableType } from '../../records/fields/tags.queries.ts'
import { findRecordsByText } from './record-search.queries.ts'

const source = (type: TaggableType, scope: SearchSource['scope'], path: string): SearchSource => ({
  type,
  scope,
  path,
  find: (tx, search, { limit }) => findRecordsByText(tx, type, search, limit),
})

export const crmSearchSources: SearchSource[] = [
  source('lead', 'leads.read', '/leads'),
  source('contact', 'contacts.read', '/contacts'),
  source('account', 'accounts.read', '/accounts'),
  source('opportunity', 'opportunities.read', '/deals'),
]
