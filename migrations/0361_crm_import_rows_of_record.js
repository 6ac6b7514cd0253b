/** Finds the last row of a record, which has the version of the record after the import. */
export const up = (pgm) => {
  pgm.noTransaction()
  // An interrupted run leaves an invalid index.
  pgm.sql('drop index concurrently if exists crm.import_rows_by_record_and_row')
  pgm.sql(`create index concurrently import_rows_by_record_and_row on crm.import_rows (tenant_id, import_id, record_id, row_no)
    where record_id is not null`)
  pgm.sql('drop index concurrently if exists crm.import_rows_by_record')
}

export const down = false
