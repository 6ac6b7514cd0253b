import { definePersonErasure, type Erasure } from '#platform/module'
import { eraseImportFiles, eraseRowsOfImports } from './erase-imports.service.ts'

export const importErasures: Erasure[] = [
  definePersonErasure('crm.imports', eraseImportFiles, { requiresSystemRole: true }),
  definePersonErasure('crm.import_rows', eraseRowsOfImports, { requiresSystemRole: true }),
]
