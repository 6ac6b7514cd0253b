import type { Tables } from '#platform/module'

export const enablementTables: Tables = {}
