import { defineTenantSchedule } from '#platform/jobs'
import { foldOpenLeadCounts, listTenantsWithManyCountRows, listUsersWithManyCountRows } from './open-leads.queries.ts'

/** Assignment by open leads replaces the count rows it reads; this does it for workspaces that do not use it. */
export const foldOpenLeadCountsSchedule = defineTenantSchedule('crm.fold_open_lead_counts', '43 2 * * *', {
  listTenants: listTenantsWithManyCountRows,
  async runForTenant({ inTenant, signal }) {
    for (const userId of await inTenant(listUsersWithManyCountRows)) {
      signal.throwIfAborted()
      await inTenant((tx) => foldOpenLeadCounts(tx, [userId]))
    }
  },
})
