import type { Workspace } from './web-pages.ts'

/** Marks a lead as sample data that the admin has loaded. */
export const insertSampleData = (acme: Workspace, { id }: { id: string }): Promise<unknown> =>
  acme.sql(
    `with batch as (
       insert into operations.sample_batches (tenant_id, batch_id, state, loaded_by, planned_at, loaded_at)
       values ($1, gen_random_uuid(), 'loaded', $2, now(), now()))
     insert into operations.sample_records (tenant_id, key, resource_type, id) values ($1, 'lead', 'lead', $3)`,
    [acme.id, acme.admin.userId, id],
  )
