import type { Tables } from '#platform/module'

export const tables: Tables = { 'identity.userz': { export: 'full', clean: 'never' } }
