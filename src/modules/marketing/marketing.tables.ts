import type { Tables } from '#platform/module'

export const marketingTables: Tables = {}
