const columns = { lead: 'lead_id', contact: 'contact_id' }

/** Lists the enrollments of a lead or contact in their order. */
export const up = (pgm) => {
  pgm.noTransaction()
  for (const [person, column] of Object.entries(columns)) {
    const name = `cadence_enrollments_by_${person}`
    // An interrupted run leaves an invalid index.
    pgm.sql(`drop index concurrently if exists marketing.${name}_and_id`)
    pgm.sql(`create index concurrently ${name}_and_id on marketing.cadence_enrollments (tenant_id, ${column}, id)
      where ${column} is not null`)
    pgm.sql(`drop index concurrently if exists marketing.${name}`)
  }
}

export const down = false
