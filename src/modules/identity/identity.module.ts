import type { Module } from '#platform/module'
import { apiKeyPresenter } from './credentials/api-keys/api-key.presenter.ts'
import { apiKeyRoutes } from './credentials/api-keys/api-keys.routes.ts'
import { expiringKeysSchedule } from './credentials/api-keys/expiring-keys.jobs.ts'
import { connectedAppPresenter } from './credentials/connected-apps/connected-app.presenter.ts'
import { connectedAppsRoutes } from './credentials/connected-apps/connected-apps.routes.ts'
import { accessNoticeHandler, accessNoticeSubscriptions } from './credentials/emails/access-notices.jobs.ts'
import { emailJobHandlers } from './credentials/emails/emails.jobs.ts'
import { deleteExpiredThrottlesSchedule } from './credentials/throttles/throttles.jobs.ts'
import { identityErrors } from './identity.errors.ts'
import * as events from './identity.events.ts'
import { identityTables } from './identity.tables.ts'
import { identityChecks } from './integrity/integrity.checks.ts'
import { identitySample } from './sample-data/identity-sample.ts'
import { authRoutes } from './sign-in/current-session/auth.routes.ts'
import { endImpersonationHandler } from './sign-in/impersonation/impersonation.jobs.ts'
import { impersonationRoutes } from './sign-in/impersonation/impersonation.routes.ts'
import { ownSessionsRoutes } from './sign-in/own-sessions/own-sessions.routes.ts'
import { publicPageRoutes } from './sign-in/pages/pages.public.routes.ts'
import { registrationRoutes } from './sign-in/registration/registration.routes.ts'
import { registrationJobs } from './sign-in/registration/verification.jobs.ts'
import { ssoRoutes } from './sign-in/sso/sso.routes.ts'
import { sessionPresenters } from './sign-in/user-activity/session.presenters.ts'
import { userActivityRoutes } from './sign-in/user-activity/user-activity.routes.ts'
import { forecastUsersRoutes } from './users/forecast-users/forecast-users.routes.ts'
import { userAccessRoutes } from './users/user-access/user-access.routes.ts'
import { eraseUserDataHandler } from './users/user-erasure/erase-user-data.jobs.ts'
import { userErasureRoutes } from './users/user-erasure/user-erasure.routes.ts'
import { profileRoutes } from './users/user-profile/profile.routes.ts'
import { reassignRecordsHandler } from './users/users/reassign-records.jobs.ts'
import { userPresenter } from './users/users/user.presenter.ts'
import { usersRoutes } from './users/users/users.routes.ts'
import { homeRoutes } from './workspace/home/home.routes.ts'
import { notificationsRoutes } from './workspace/notifications/notifications.routes.ts'
import { preferencesErasure } from './workspace/preferences/preferences.erasures.ts'
import { preferencesRoutes } from './workspace/preferences/preferences.routes.ts'
import { recordSearchRoutes } from './workspace/record-search/search.routes.ts'
import { identitySettings } from './workspace/settings/sections.ts'
import { settingsRoutes } from './workspace/settings/settings.routes.ts'
import { teamPresenter } from './workspace/teams/team.presenter.ts'
import { teamsRoutes } from './workspace/teams/teams.routes.ts'
import { purgeTenantsSchedule } from './workspace/tenants/purge-tenant.jobs.ts'

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
    await app.register(preferencesRoutes)
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
  erasures: [preferencesErasure],
  integrityChecks: identityChecks,
  sampleData: () => [identitySample],
}
