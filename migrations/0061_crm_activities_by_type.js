// Rules find the records with an activity of a type and time. The index is created while activities are written.
export const up = (pgm) => {
  pgm.noTransaction()
  pgm.sql('drop index concurrently if exists crm.activities_by_type')
  pgm.sql('create index concurrently activities_by_type on crm.activities (tenant_id, type, occurred_at)')
}

export const down = false
