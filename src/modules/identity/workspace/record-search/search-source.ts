import type { Scope } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

export type FoundRecord = { id: string; title: string; subtitle: string | null }

/** Finds the records of one type for the search of all records, the best first. */
export type SearchSource = {
  type: string
  scope: Scope
  /** Path of the records in the web application, without the id. */
  path: string
  find(tx: TenantTx, search: string, options: { limit: number; now: Date }): Promise<FoundRecord[]>
}

export const searchSourcePoint = defineExtensionPoint<SearchSource>('sources of the search of all records')

/** Turns the key of a type into a text, such as `slide_deck` into `Slide deck`. */
export const toLabel = (key: string): string => `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll('_', ' ')}`
