// The same expression as in list-leads.queries.ts.
const awaitedAt = `(case when first_responded_at is null and sla_due_at is not null and status <> 'unqualified' and status <> 'converted'
  then sla_due_at else timestamptz '2200-01-01 00:00:00+00' end)`

/** Lists the leads that wait for a first response by deadline, then the others by priority. */
export const up = (pgm) => {
  pgm.noTransaction()
  for (const [name, columns] of Object.entries({ leads_by_queue: '', leads_by_owner_queue: 'owner_id, ' })) {
    // An interrupted run leaves an invalid index.
    pgm.sql(`drop index concurrently if exists crm.${name}`)
    pgm.sql(`create index concurrently ${name} on crm.leads (tenant_id, ${columns}(${awaitedAt}), priority_rank, created_at, id)
      where deleted_at is null`)
  }
}

export const down = false
