import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { daysLater, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { SampleData, SampleRecord } from '#platform/module'
import { defaultOptions } from '../exchange/import-mapping/import-fields.rules.ts'
import { insertStagedRows, saveRowResults } from '../exchange/import-records/import-rows.queries.ts'
import { deleteImportRow, insertImport } from '../exchange/import-records/imports.queries.ts'
import { toResult } from '../exchange/import-records/imports.rules.ts'
import { lockLeads } from '../people/lead-records/leads.queries.ts'
import { sampleLeadKeys } from './crm-sample.ts'

const columns = ['First name', 'Last name', 'Email', 'Company']
const fields = ['first_name', 'last_name', 'email', 'company']
const matchedRows = 22
const wrongRows = [
  { cells: ['Theo', 'Lang', 'theo.lang', 'Lang & Partner'], column: 'Email', field: 'email', code: 'format' },
  { cells: ['Mia', 'Sommer', 'mia@@sommer.example', 'Sommer'], column: 'Email', field: 'email', code: 'format' },
  { cells: ['', '', '', ''], column: null, field: null, code: 'required' },
]
const messages: Record<string, string> = {
  format: '`email` must be an email address.',
  required: 'At least one of `email`, `phone`, `last_name` and `company` is required.',
}

/** A file of 25 visitors of a trade fair: 22 were leads already, three rows have errors. */
export const importSample: SampleData = {
  name: 'imports',
  plan: ({ now, scale }) => [
    {
      run: (tx, actor, idOf) =>
        createSampleImport(tx, actor, sampleLeadKeys(scale).slice(0, matchedRows).map(idOf), daysLater(now, -12)),
    },
  ],
  async remove({ inTenant }, records) {
    const imports = records.filter(({ resource_type }) => resource_type === 'import')
    await inTenant(async (tx) => {
      for (const { id } of imports) await deleteImportRow(tx, id)
    })
    return []
  },
}

async function createSampleImport(
  tx: TenantTx,
  { userId }: UserActor,
  leadIds: readonly string[],
  at: Date,
): Promise<SampleRecord[]> {
  const leads = await lockLeads(tx, leadIds)
  const id = newId()
  const run = { id, run_no: 2 }
  const matched = leads.map((lead, index) => ({
    row_no: index + 2,
    cells: [lead.first_name, lead.last_name, lead.email, lead.company].map((text) => text ?? ''),
    lead,
  }))
  const wrong = wrongRows.map((row, index) => ({ ...row, row_no: matched.length + index + 2 }))
  await insertImport(tx, {
    ...run,
    object_type: 'lead',
    filename: 'trade-fair-visitors.csv',
    state: 'completed',
    encoding: 'windows-1252',
    delimiter: ';',
    columns: JSON.stringify(columns),
    mapping: JSON.stringify(columns.map((column, index) => ({ column, field: fields[index] }))),
    options: JSON.stringify({ ...defaultOptions, tags: ['trade fair'] }),
    row_count: matched.length + wrong.length,
    done_rows: matched.length + wrong.length,
    updated_count: matched.length,
    failed_count: wrong.length,
    created_by: userId,
    created_at: at,
    started_at: secondsLater(at, 240),
    finished_at: secondsLater(at, 243),
  })
  const staged = [...matched, ...wrong].map(({ row_no, cells }) => ({ row_no, cells, problem: null }))
  await insertStagedRows(tx, id, staged)
  await saveRowResults(tx, run, [
    ...matched.map(({ row_no, lead }) =>
      toResult(row_no, 'updated', { record_id: lead.id, record_version: lead.version }),
    ),
    ...wrong.map(({ row_no, column, field, code }) =>
      toResult(row_no, 'failed', { errors: [{ column, field, code, message: messages[code]! }] }),
    ),
  ])
  await recordAudit(tx, 'import.completed', { id, after: { object_type: 'lead', updated: matched.length } })
  return [{ key: 'import:1', resource_type: 'import', id }]
}
