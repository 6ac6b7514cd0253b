import { columns, compareTenantRead } from './tenant-read.ts'

export const run = () =>
  compareTenantRead({
    title: 'one record by id',
    build: (tx, id) => tx.selectFrom('identity.users').select(columns).where('id', '=', id),
    baseline: `select ${columns.join(', ')} from identity.users where id = $1 and tenant_id = $2`,
    values: (id) => [id],
  })
