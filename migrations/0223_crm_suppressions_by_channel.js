// The suppression list of one channel is an index scan too.
export const up = (pgm) => {
  pgm.noTransaction()
  // An interrupted run leaves an invalid index.
  pgm.sql('drop index concurrently if exists crm.suppressions_by_channel')
  pgm.sql('create index concurrently suppressions_by_channel on crm.suppressions (tenant_id, channel, at, id)')
}

export const down = false
