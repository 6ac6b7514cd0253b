import type { Module } from '#platform/module'
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts'
import { endingKeys } from './api-keys/ending-keys.jobs.ts'
import { authJobs } from './auth/auth.jobs.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { forgettingThrottles } from './auth/throttles.jobs.ts'
import { connectedAppsRoutes } from './connected-apps/connected-apps.routes.ts'
import * as events from './identity.events.ts'
import { identityTables } from './identity.tables.ts'
import { endingImpersonations } from './impersonation/impersonation.jobs.ts'
import { impersonationRoutes } from './impersonation/impersonation.routes.ts'
import { identityChecks } from './integrity/integrity.checks.ts'
import { notificationsRoutes } from './notifications/notifications.routes.ts'
import { publicPageRoutes } from './pages/pages.public.routes.ts'
import { registrationRoutes } from './registration/registration.routes.ts'
import { registrationJobs } from './registration/verification.jobs.ts'
import { ownSessionsRoutes } from './sessions/own-sessions.routes.ts'
import { identitySettings } from './settings/sections.ts'
import { settingsRoutes } from './settings/settings.routes.ts'
import { ssoRoutes } from './sso/sso.routes.ts'
import { teamsRoutes } from './teams/teams.routes.ts'
import { purgingDueTenants } from './tenants/purge-tenant.jobs.ts'
import { ownProfileRoutes } from './users/own-profile.routes.ts'
import { reassigningRecords } from './users/users.jobs.ts'
import { usersRoutes } from './users/users.routes.ts'

/** Table of contents of identity. */
export const identity: Module = {
  name: 'identity',
  purpose: 'Workspaces, the people in them, and how they get in.',
  uses: [],
  routes: (services) => async (app) => {
    await app.register(authRoutes(services))
    await app.register(registrationRoutes(services))
    await app.register(apiKeyRoutes(services))
    await app.register(connectedAppsRoutes(services))
    await app.register(usersRoutes(services))
    await app.register(impersonationRoutes(services))
    await app.register(ownSessionsRoutes(services))
    await app.register(ownProfileRoutes)
    await app.register(notificationsRoutes(services))
    await app.register(publicPageRoutes)
    await app.register(teamsRoutes(services))
    await app.register(settingsRoutes(services))
    await app.register(ssoRoutes(services))
  },
  tables: identityTables,
  events: Object.values(events),
  jobs: (services) => [
    ...authJobs(services),
    ...registrationJobs(services),
    reassigningRecords(services.registry.tables),
    endingImpersonations,
  ],
  schedules: (services) => [endingKeys(services), purgingDueTenants(services), forgettingThrottles(services)],
  settings: identitySettings,
  integrityChecks: identityChecks,
}
