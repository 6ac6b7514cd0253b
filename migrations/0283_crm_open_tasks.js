/** Lists the open tasks of a user by due date. */
export const up = (pgm) => {
  pgm.noTransaction()
  // An interrupted run leaves an invalid index.
  pgm.sql('drop index concurrently if exists crm.activities_open_tasks_by_due')
  pgm.sql(`create index concurrently activities_open_tasks_by_due on crm.activities (tenant_id, assignee_id, due_at, id)
    where type = 'task' and completed_at is null`)
  pgm.sql('drop index concurrently if exists crm.activities_open_tasks')
}

export const down = false
