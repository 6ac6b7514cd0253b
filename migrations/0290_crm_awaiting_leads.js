/** Lists the new leads of a user without a first response by deadline. */
export const up = (pgm) => {
  pgm.noTransaction()
  // An interrupted run leaves an invalid index.
  pgm.sql('drop index concurrently if exists crm.leads_awaiting_by_owner')
  pgm.sql(`create index concurrently leads_awaiting_by_owner on crm.leads (tenant_id, owner_id, sla_due_at, id)
    where deleted_at is null and status = 'new' and first_responded_at is null`)
}

export const down = false
