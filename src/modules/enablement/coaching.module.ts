import type { Module } from '#platform/module'
import { coachingErrors } from './coaching.errors.ts'
import * as events from './coaching.events.ts'
import { coachingPresenters } from './coaching.presenters.ts'
import { coachingTables } from './coaching.tables.ts'
import { coachingChecks } from './coaching-integrity/coaching.checks.ts'
import { personaRoutes } from './coaching-personas/personas.routes.ts'
import { createPresetsSchedule } from './coaching-presets/presets.jobs.ts'
import { onTenantCreated } from './coaching-presets/presets.subscriptions.ts'
import { finishRoleplaysSchedule } from './coaching-roleplay/finish-roleplays.jobs.ts'
import { purgeMessagesSchedule } from './coaching-roleplay/purge-messages.jobs.ts'
import { roleplayRoutes } from './coaching-roleplay/roleplay.routes.ts'
import { coachingSample } from './coaching-sample-data/coaching-sample.ts'
import { scenarioRoutes } from './coaching-scenarios/scenarios.routes.ts'
import { assertPersonaUnused } from './coaching-scenarios/scenarios.service.ts'
import { sessionErasure } from './coaching-sessions/session-erasure.ts'
import { sessionRoutes } from './coaching-sessions/sessions.routes.ts'
import { transcriptSettings, voiceSettings } from './coaching-settings/coaching-settings.ts'
import { speechSettings } from './coaching-settings/speech-settings.ts'
import { coachingStatsRoutes } from './coaching-stats/stats.routes.ts'
import { voiceRoutes } from './coaching-voice/voice.routes.ts'

export const coaching: Module = {
  name: 'coaching',
  purpose: 'Roleplays with invented buyers, and sessions of sellers with their coaches.',
  uses: ['identity', 'library'],
  schema: 'enablement',
  reads: ['platform.files'],
  routes: (services) => async (app) => {
    await app.register(personaRoutes(services, { assertUnused: assertPersonaUnused }))
    await app.register(scenarioRoutes(services))
    await app.register(sessionRoutes(services))
    await app.register(roleplayRoutes(services))
    await app.register(voiceRoutes(services))
    await app.register(coachingStatsRoutes(services))
  },
  tables: coachingTables,
  errors: coachingErrors,
  events: Object.values(events),
  schedules: (services) => [finishRoleplaysSchedule(services), purgeMessagesSchedule(services), createPresetsSchedule],
  subscriptions: [onTenantCreated],
  integrityChecks: (services) => coachingChecks(services),
  sampleData: () => [coachingSample],
  erasures: [sessionErasure],
  eventPresenters: coachingPresenters,
  settings: [transcriptSettings, voiceSettings, speechSettings],
}
