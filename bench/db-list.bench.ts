import { columns, compareTenantRead } from './tenant-read.ts'

export const run = () =>
  compareTenantRead({
    title: 'a page of 50',
    build: (tx) =>
      tx
        .selectFrom('identity.users')
        .select(columns)
        .where('role', '=', 'member')
        .orderBy('name_key', 'desc')
        .orderBy('id', 'desc')
        .limit(50),
    baseline: `select ${columns.join(', ')} from identity.users where role = $1 and tenant_id = $3 order by name_key desc, id desc limit $2`,
    values: () => ['member', 50],
  })
