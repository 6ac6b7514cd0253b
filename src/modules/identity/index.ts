export { type Capability, capabilityPoint } from './auth/capabilities.ts'
export { runTaskBatches } from './auth/task-batches.flow.ts'
export { TaskRequester } from './auth/task-requester.schemas.ts'
export { resolveTaskRequester, toTaskRequester } from './auth/task-requester.service.ts'
export { type ForecastSource, forecastSourcePoint } from './forecast-users/forecast-source.ts'
export { findQuota } from './forecast-users/forecast-users.queries.ts'
export { currentFiscalQuarter } from './forecast-users/forecast-users.service.ts'
export { type HomeContext, type HomePart, homePartPoint } from './home/home-part.ts'
export { identity } from './identity.module.ts'
export { lockUsersShared } from './impersonation/impersonation.queries.ts'
export { createImportedTenant, type NewImportedTenant } from './operator/import-tenant.service.ts'
export { hashPassword, verifyPassword } from './passwords/password-hash.ts'
export { type FoundRecord, type SearchSource, searchSourcePoint, toLabel } from './record-search/search-source.ts'
export { createGatekeeper } from './request-auth/gatekeeper.ts'
export { sampleEnterpriseSellers, sampleMidMarketSellers } from './sample-data/sample-users.ts'
export { readPageTheme } from './settings/page-theme.queries.ts'
export { emailDomainOf, isPublicEmailDomain } from './settings/public-email.rules.ts'
export {
  baseCurrencyOf,
  lockCurrencyShared,
  readSection,
  readSections,
  readSettings,
  timezoneOf,
} from './settings/settings.queries.ts'
export { replaceSection } from './settings/settings.service.ts'
export { deleteOtherSecrets, listStoredSecretNames } from './settings/tenant-secrets.queries.ts'
export { findOrCreateSecret, readSecret } from './settings/tenant-secrets.service.ts'
export { createWorkspaceModelReader } from './settings/workspace-model.ts'
export { isLeadOf, listLedTeamIds, listLedUserIds } from './teams/team-leads.queries.ts'
export { listMemberIds } from './teams/team-members.queries.ts'
export { findActiveTeamLead, findTeamNames, listTeamIdsOfUser, listTeamsOfUsers } from './teams/user-teams.queries.ts'
export { readEventLimit } from './tenants/event-limit.service.ts'
export { endOwnMaintenance, startOwnMaintenance } from './tenants/maintenance.service.ts'
export { readStorageQuota } from './tenants/storage-quota.service.ts'
export {
  clearForeignKey,
  countTenantRows,
  deleteTenantRows,
  hasTenantRows,
  listForeignKeys,
} from './tenants/tenant-rows.queries.ts'
export { planDeletion } from './tenants/tenant-rows.rules.ts'
export { getTenantStatus } from './tenants/tenant-status.ts'
export {
  getTenant,
  getTenantBySlug,
  listTenantIds,
  listTenantsInMaintenance,
  lockOwnTenant,
} from './tenants/tenants.queries.ts'
export { workspaceUrl } from './tenants/tenants.rules.ts'
export { type Throttle, throttle } from './throttles/throttles.rules.ts'
export { countEvent, reserveAttempt, retryWhilePending, settleAttempt } from './throttles/throttles.service.ts'
export { createKeyRing } from './tokens/key-ring.ts'
export { createTokenService, type TokenService } from './tokens/tokens.ts'
export { findFileReader } from './user-access/file-reader.queries.ts'
export { readUserStats } from './user-activity/user-stats.queries.ts'
export { repeatUserErasures } from './user-erasure/erase-user-data.jobs.ts'
export { type ProfilePart, profilePartPoint } from './user-profile/profile-part.ts'
export { listActiveAdminIds, listManagerIdsToNotify } from './user-records/users.queries.ts'
export { assertAssignable } from './users/assert-assignable.service.ts'
export { findActiveManagers, listInactiveUserIds } from './users/inactive-users.queries.ts'
export { canCoach, canUserCoach, mayReadPrivate } from './users/may-coach.service.ts'
export { toReferenceOrNull, toUserReference } from './users/references.rules.ts'
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
} from './users/user-names.queries.ts'
export { userRecipientDirectory } from './users/user-recipient-directory.ts'
