/** Lists the rows of a run that have a warning. */
export const up = (pgm) => {
  pgm.noTransaction()
  // An interrupted run leaves an invalid index.
  pgm.sql('drop index concurrently if exists crm.import_rows_with_warnings')
  pgm.sql(`create index concurrently import_rows_with_warnings on crm.import_rows (tenant_id, import_id, run_no, row_no)
    where warnings is not null`)
}

export const down = false
