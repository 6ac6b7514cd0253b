// What the operator can do with workspaces. There is no way to any of it over HTTP.
export { limitApiKey, revokeKeyAsOperator } from '../api-keys/operate-keys.service.ts'
export { createTenant } from './create-tenant.service.ts'
export { inviteAdmin, resetPassword, revokeSessions } from './operate-users.service.ts'
export { insertOperatorAct } from './operator-audit.queries.ts'
export { purgeTenant } from './purge-tenant.jobs.ts'
export { listTenants, type TenantRow } from './tenants.queries.ts'
export { type Circumstances, type PublicAddress, workspaceUrl } from './tenants.rules.ts'
export {
  deleteTenant,
  describeTenant,
  renameTenant,
  restoreTenant,
  resumeTenant,
  setTenantLimits,
  suspendTenant,
} from './tenants.service.ts'
