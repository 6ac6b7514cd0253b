// Operator functions for the CLI; none of them is available over HTTP.
export { limitApiKey, revokeKeyAsOperator } from '../api-keys/operator-keys.service.ts'
export { createTenant } from './create-tenant.service.ts'
export { endMaintenance, startMaintenance } from './maintenance.service.ts'
export { createPasswordResetLink, inviteAdmin, revokeSessionsAsOperator } from './operate-users.service.ts'
export { insertOperatorAuditEntry } from './operator-audit.queries.ts'
export { purgeTenant } from './purge-tenant.jobs.ts'
export { getTenantBySlug, listTenants, type TenantRow } from './tenants.queries.ts'
export { type OperatorContext, type PublicUrlConfig, workspaceUrl } from './tenants.rules.ts'
export {
  deleteTenant,
  getTenantDetails,
  renameTenant,
  restoreTenant,
  resumeTenant,
  setTenantLimits,
  suspendTenant,
} from './tenants.service.ts'
