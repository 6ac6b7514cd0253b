import type { Module } from '#platform/module'
import { apiKeyPresenter } from './api-keys/api-key.presenter.ts'
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts'
import { expiringKeysSchedule } from './api-keys/expiring-keys.jobs.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { connectedAppPresenter } from './connected-apps/connected-app.presenter.ts'
import { connectedAppsRoutes } from './connected-apps/connected-apps.routes.ts'
import { accessNoticeHandler, accessNoticeSubscriptions } from './emails/access-notices.jobs.ts'
import { emailJobHandlers } from './emails/emails.jobs.ts'
import { forecastUsersRoutes } from './forecast-users/forecast-users.routes.ts'
import { homeRoutes } from './home/home.routes.ts'
import { identityErrors } from './identity.errors.ts'
import * as events from './identity.events.ts'
import { identityTables } from './identity.tables.ts'
import { endImpersonationHandler } from './impersonation/impersonation.jobs.ts'
import { impersonationRoutes } from './impersonation/impersonation.routes.ts'
import { identityChecks } from './integrity/integrity.checks.ts'
import { notificationsRoutes } from './notifications/notifications.routes.ts'
import { ownSessionsRoutes } from './own-sessions/own-sessions.routes.ts'
import { publicPageRoutes } from './pages/pages.public.routes.ts'
import { recordSearchRoutes } from './record-search/search.routes.ts'
import { registrationRoutes } from './registration/registration.routes.ts'
import { registrationJobs } from './registration/verification.jobs.ts'
import { identitySample } from './sample-data/identity-sample.ts'
import { identitySettings } from './settings/sections.ts'
import { settingsRoutes } from './settings/settings.routes.ts'
import { ssoRoutes } from './sso/sso.routes.ts'
import { teamPresenter } from './teams/team.presenter.ts'
import { teamsRoutes } from './teams/teams.routes.ts'
import { purgeTenantsSchedule } from './tenants/purge-tenant.jobs.ts'
import { deleteExpiredThrottlesSchedule } from './throttles/throttles.jobs.ts'
import { userAccessRoutes } from './user-access/user-access.routes.ts'
import { sessionPresenters } from './user-activity/session.presenters.ts'
import { userActivityRoutes } from './user-activity/user-activity.routes.ts'
import { eraseUserDataHandler } from './user-erasure/erase-user-data.jobs.ts'
import { userErasureRoutes } from './user-erasure/user-erasure.routes.ts'
import { profileRoutes } from './user-profile/profile.routes.ts'
import { reassignRecordsHandler } from './users/reassign-records.jobs.ts'
import { userPresenter } from './users/user.presenter.ts'
import { usersRoutes } from './users/users.routes.ts'

export const identity: Module = {
  name: 'identity',
  purpose: 'Workspaces, users, teams and authentication.',
  uses: [],
  schema: 'identity',
  routes: (services) => async (app) => {
    await app.register(authRoutes(services))
    await app.register(registrationRoutes(services))
    await app.register(apiKeyRoutes(services))
    await app.register(connectedAppsRoutes(services))
    await app.register(usersRoutes(services))
    await app.register(userAccessRoutes(services))
    await app.register(userActivityRoutes(services))
    await app.register(userErasureRoutes(services))
    await app.register(forecastUsersRoutes(services))
    await app.register(impersonationRoutes(services))
    await app.register(ownSessionsRoutes(services))
    await app.register(profileRoutes(services))
    await app.register(homeRoutes(services))
    await app.register(recordSearchRoutes(services))
    await app.register(notificationsRoutes(services))
    await app.register(publicPageRoutes(services))
    await app.register(teamsRoutes(services))
    await app.register(settingsRoutes(services))
    await app.register(ssoRoutes(services))
  },
  tables: identityTables,
  errors: identityErrors,
  events: Object.values(events),
  subscriptions: accessNoticeSubscriptions,
  jobs: (services) => [
    ...emailJobHandlers(services),
    accessNoticeHandler(services),
    ...registrationJobs(services),
    reassignRecordsHandler(services.registry.tables),
    endImpersonationHandler,
    eraseUserDataHandler(services),
  ],
  schedules: (services) => [
    expiringKeysSchedule(services),
    purgeTenantsSchedule(services),
    deleteExpiredThrottlesSchedule(services),
  ],
  settings: identitySettings,
  eventPresenters: [userPresenter, teamPresenter, ...sessionPresenters, apiKeyPresenter, connectedAppPresenter],
  integrityChecks: identityChecks,
  sampleData: () => [identitySample],
}
