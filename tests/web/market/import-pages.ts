import { newId } from '#platform/ids'
import type { TestUser } from '#testing'
import type { Workspace } from '../web-pages.ts'

const columns = ['Vorname', 'Nachname', 'E-Mail', 'Mail privat', 'Messetag']
const fields = ['first_name', 'last_name', 'email', null, 'notes']
const mapping = columns.map((column, at) => ({ column, field: fields[at] }))
const cells = [
  ['Marta', 'Wagner', 'M.Wagner@sandstone.example', '', '24.11.2026'],
  ['Jonas', 'Lindqvist', 'jonas@windmill', 'jonas.l@mail.example', '25.11.2026'],
  ['Ayse', 'Demir', 'a.demir@kestrel.example', '', '11/26/2026'],
]
const message = (code: string, field: string, column: string, text: string) => ({ field, column, code, message: text })
const errors = [message('format', 'email', 'E-Mail', '`email` must be an email address.')]
const warnings = [message('suppressed', 'email', 'E-Mail', 'The address is unsubscribed.')]
const counts = { created: 1, updated: 1, skipped: 0, failed: 1, warnings: 1 }

type State = 'uploaded' | 'checked' | 'running' | 'completed' | 'failed' | 'cancelled' | 'undone'

const outcomes: Record<State, readonly (string | null)[]> = {
  uploaded: [null, null, null],
  checked: ['created', 'failed', 'updated'],
  running: ['created', null, null],
  completed: ['created', 'failed', 'updated'],
  failed: ['created', 'failed', 'updated'],
  cancelled: [null, null, null],
  undone: ['undone', 'failed', 'kept'],
}

/** Stores an import of leads of the user in a state, with its rows. */
export async function insertImport(
  acme: Workspace,
  { userId }: Pick<TestUser, 'userId'>,
  state: State,
): Promise<string> {
  const id = newId()
  const hasRun = !['uploaded', 'checked', 'cancelled'].includes(state)
  const now = new Date().toISOString()
  await acme.sql(
    `insert into crm.imports (tenant_id, id, object_type, filename, state, encoding, delimiter, columns, mapping, row_count, run_no,
       created_by, checked, failure, finished_at, done_rows, created_count, updated_count, failed_count, warning_count,
       undone_count, kept_count)
     values ($1, $2, 'lead', $3, $4, 'utf-8', ';', $5, $6, 3, 1, $7, $8, $9, $10, $11, $12, $12, $12, $12, $13, $13)`,
    [
      acme.id,
      id,
      `${state}-leads.csv`,
      state === 'checked' ? 'mapped' : state,
      JSON.stringify(columns),
      state === 'uploaded' ? null : JSON.stringify(mapping),
      userId,
      state === 'checked' ? JSON.stringify({ ...counts, finished_at: now }) : null,
      state === 'failed' ? JSON.stringify({ code: 'too_many_failures', message: 'Too many rows failed.' }) : null,
      hasRun && state !== 'running' ? now : null,
      hasRun ? 3 : 0,
      hasRun ? 1 : 0,
      state === 'undone' ? 1 : 0,
    ],
  )
  for (const [at, row] of cells.entries()) {
    const outcome = outcomes[state][at]
    await acme.sql(
      `insert into crm.import_rows (tenant_id, import_id, row_no, cells, run_no, outcome, errors, warnings, kept_reason)
       values ($1, $2, $3, $4, 1, $5, $6, $7, $8)`,
      [
        acme.id,
        id,
        at + 2,
        JSON.stringify(row),
        outcome,
        outcome === 'failed' ? JSON.stringify(errors) : null,
        outcome === 'updated' ? JSON.stringify(warnings) : null,
        outcome === 'kept' ? 'edited' : null,
      ],
    )
  }
  return id
}
