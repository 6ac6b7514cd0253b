// Operator functions for the CLI; none of them is available over HTTP.
export { limitApiKey, revokeKeyAsOperator } from '../api-keys/operator-keys.service.ts'
export { endMaintenance, startMaintenance } from '../tenants/maintenance.service.ts'
export { insertOperatorAuditEntry } from '../tenants/operator-audit.queries.ts'
export { purgeTenant } from '../tenants/purge-tenant.jobs.ts'
export { getTenantBySlug, listTenantIdsAfter, listTenants, type TenantRow } from '../tenants/tenants.queries.ts'
export { type OperatorContext, type PublicUrlConfig, workspaceUrl } from '../tenants/tenants.rules.ts'
export {
  deleteTenant,
  getTenantDetails,
  renameTenant,
  restoreTenant,
  resumeTenant,
  setTenantLimits,
  suspendTenant,
} from '../tenants/tenants.service.ts'
export { createTenant } from './create-tenant.service.ts'
export { createPasswordResetLink, inviteAdmin, revokeSessionsAsOperator } from './operate-users.service.ts'
