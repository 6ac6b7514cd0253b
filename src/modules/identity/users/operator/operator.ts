// Operator functions for the CLI; none of them is available over HTTP.
export { limitApiKey, revokeKeyAsOperator } from '../../credentials/api-keys/operator-keys.service.ts'
export { endMaintenance, startMaintenance } from '../../workspace/tenants/maintenance.service.ts'
export { insertOperatorAuditEntry } from '../../workspace/tenants/operator-audit.queries.ts'
export { purgeTenant } from '../../workspace/tenants/purge-tenant.jobs.ts'
export {
  getTenantBySlug,
  listTenantIdsAfter,
  listTenants,
  type TenantRow,
} from '../../workspace/tenants/tenants.queries.ts'
export { type OperatorContext, type PublicUrlConfig, workspaceUrl } from '../../workspace/tenants/tenants.rules.ts'
export {
  deleteTenant,
  getTenantDetails,
  renameTenant,
  restoreTenant,
  resumeTenant,
  setTenantLimits,
  suspendTenant,
} from '../../workspace/tenants/tenants.service.ts'
export { createTenant } from './create-tenant.service.ts'
export { createPasswordResetLink, inviteAdmin, revokeSessionsAsOperator } from './operate-users.service.ts'
