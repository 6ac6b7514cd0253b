const indexes = {
  // Lists the deals of an owner in a stage by amount.
  opportunities_by_owner_stage:
    '(tenant_id, owner_id, pipeline_id, stage_key, amount_base_minor, id) where deleted_at is null',
  // Finds deals that were closed around the start of a quarter.
  opportunities_by_closing: '(tenant_id, pipeline_id, closed_at) where deleted_at is null and closed_at is not null',
}

export const up = (pgm) => {
  pgm.noTransaction()
  for (const [name, definition] of Object.entries(indexes)) {
    // An interrupted run leaves an invalid index.
    pgm.sql(`drop index concurrently if exists crm.${name}`)
    pgm.sql(`create index concurrently ${name} on crm.opportunities ${definition}`)
  }
}

export const down = false
