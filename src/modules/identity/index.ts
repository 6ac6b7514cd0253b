export { hashPassword, verifyPassword } from './credentials/passwords/password-hash.ts'
export { createRequestAuthenticator } from './credentials/request-auth/authenticate-request.ts'
export { type Throttle, throttle } from './credentials/throttles/throttles.rules.ts'
export {
  countEvent,
  reserveAttempt,
  retryWhilePending,
  settleAttempt,
} from './credentials/throttles/throttles.service.ts'
export { createKeyRing } from './credentials/tokens/key-ring.ts'
export { createTokenService, type TokenService } from './credentials/tokens/tokens.ts'
export { identity } from './identity.module.ts'
export { sampleEnterpriseSellers, sampleMidMarketSellers } from './sample-data/sample-users.ts'
export { TaskRequester } from './sign-in/current-session/auth.schemas.ts'
export { type Capability, capabilityPoint } from './sign-in/current-session/capabilities.ts'
export { runTaskBatches } from './sign-in/current-session/task-batches.flow.ts'
export { resolveTaskRequester, toTaskRequester } from './sign-in/current-session/task-requester.service.ts'
export { lockUsersShared } from './sign-in/impersonation/impersonation.queries.ts'
export { readUserStats } from './sign-in/user-activity/user-stats.queries.ts'
export { type ForecastSource, forecastSourcePoint } from './users/forecast-users/forecast-source.ts'
export { findQuota } from './users/forecast-users/forecast-users.queries.ts'
export { currentFiscalQuarter } from './users/forecast-users/forecast-users.service.ts'
export { createImportedTenant, type NewImportedTenant } from './users/operator/import-tenant.service.ts'
export { findFileReader } from './users/user-access/file-reader.queries.ts'
export { repeatUserErasures } from './users/user-erasure/erase-user-data.jobs.ts'
export { type ProfilePart, profilePartPoint } from './users/user-profile/profile.service.ts'
export { assertAssignable } from './users/users/assert-assignable.service.ts'
export { findActiveManagers, listInactiveUserIds } from './users/users/inactive-users.queries.ts'
export { toReferenceOrNull, toUserReference } from './users/users/manage-user.rules.ts'
export { canCoach, canUserCoach, mayReadPrivate } from './users/users/may-coach.service.ts'
export {
  filterActiveUserIds,
  findUserCards,
  findUserEmails,
  findUserNames,
  findUserProfile,
  isUserEmail,
  listActiveUserCards,
  listUserIdsByText,
  type UserCard,
} from './users/users/user-names.queries.ts'
export { userRecipientDirectory } from './users/users/user-recipient-directory.ts'
export { type HomeContext, type HomePart, homePartPoint } from './workspace/home/home-part.ts'
export {
  type FoundRecord,
  type SearchSource,
  searchSourcePoint,
  toLabel,
} from './workspace/record-search/search-source.ts'
export {
  baseCurrencyOf,
  lockCurrencyShared,
  readPageTheme,
  readSection,
  readSections,
  readSettings,
  timezoneOf,
} from './workspace/settings/settings.queries.ts'
export { emailDomainOf, isPublicEmailDomain } from './workspace/settings/settings.rules.ts'
export { replaceSection } from './workspace/settings/settings.service.ts'
export { deleteOtherSecrets, listStoredSecretNames } from './workspace/settings/tenant-secrets.queries.ts'
export { findOrCreateSecret, readSecret } from './workspace/settings/tenant-secrets.service.ts'
export { createWorkspaceModelReader } from './workspace/settings/workspace-model.ts'
export { isLeadOf, listLedTeamIds, listLedUserIds } from './workspace/teams/team-leads.queries.ts'
export { listMemberIds } from './workspace/teams/team-members.queries.ts'
export {
  findActiveTeamLead,
  findTeamNames,
  listTeamIdsOfUser,
  listTeamsOfUsers,
} from './workspace/teams/user-teams.queries.ts'
export { endOwnMaintenance, startOwnMaintenance } from './workspace/tenants/maintenance.service.ts'
export {
  clearForeignKey,
  countTenantRows,
  deleteTenantRows,
  hasTenantRows,
  listForeignKeys,
} from './workspace/tenants/tenant-rows.queries.ts'
export { planDeletion } from './workspace/tenants/tenant-rows.rules.ts'
export { getTenantStatus } from './workspace/tenants/tenant-status.ts'
export {
  getTenant,
  getTenantBySlug,
  listTenantIds,
  listTenantsInMaintenance,
  lockOwnTenant,
} from './workspace/tenants/tenants.queries.ts'
export { workspaceUrl } from './workspace/tenants/tenants.rules.ts'
export { readEventLimit, readStorageQuota } from './workspace/tenants/tenants.service.ts'
export { listActiveAdminIds, listManagerIdsToNotify } from './workspace/user-records/users.queries.ts'
export { resolveOwnerId } from './workspace/user-records/users.rules.ts'
export { OwnerFilter } from './workspace/user-records/users.schemas.ts'
