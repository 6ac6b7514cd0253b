import { systemClock } from '#platform/clock'
import { defineRecordCheck } from '#platform/module'
import { deleteImportRow, findImport, listAbandonedImports } from '../import-records/imports.queries.ts'
import { endImport } from './end-import.service.ts'

const hourMs = 3_600_000
const anHourAgo = () => new Date(systemClock.now().getTime() - hourMs)

export const abandonedImportsCheck = defineRecordCheck({
  code: 'abandoned_import',
  title: 'Imports without a task',
  severity: 'warning',
  hint: 'The import is shown as running, but its task has ended. The repair ends the import; rows that are done stay.',
  resourceType: 'import',
  find: (tx, limit) => listAbandonedImports(tx, anHourAgo(), limit),
  async repair(tx, ids) {
    const abandoned = (await listAbandonedImports(tx, anHourAgo(), 10_000)).filter((id) => ids.includes(id))
    for (const id of abandoned) {
      const row = (await findImport(tx, id))!
      if (row.state === 'uploading') await deleteImportRow(tx, id)
      else await endImport(tx, row, { end: 'failed', error: interrupted }, { clock: systemClock })
    }
    return abandoned.length
  },
})

const interrupted = { code: 'stalled', message: 'The import was interrupted. Rows that are done stay.' }
