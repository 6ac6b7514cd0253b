import type { Module } from '#platform/module'
import { coachingErrors } from './coaching.errors.ts'
import * as events from './coaching.events.ts'
import { coachingPresenters } from './coaching.presenters.ts'
import { coachingTables } from './coaching.tables.ts'
import { coachingChecks } from './integrity/coaching.checks.ts'
import { personaRoutes } from './personas/personas.routes.ts'
import { createPresetsSchedule } from './presets/presets.jobs.ts'
import { onTenantCreated } from './presets/presets.subscriptions.ts'
import { finishRoleplaysSchedule } from './roleplays/finish-roleplays.jobs.ts'
import { purgeMessagesSchedule } from './roleplays/purge-messages.jobs.ts'
import { roleplayRoutes } from './roleplays/roleplay.routes.ts'
import { coachingSample } from './sample-data/coaching-sample.ts'
import { scenarioRoutes } from './scenarios/scenarios.routes.ts'
import { assertPersonaUnused } from './scenarios/scenarios.service.ts'
import { sessionErasure } from './sessions/sessions.erasures.ts'
import { sessionRoutes } from './sessions/sessions.routes.ts'
import { transcriptSettings, voiceSettings } from './settings/coaching-settings.ts'
import { speechSettings } from './settings/speech-settings.ts'
import { coachingStatsRoutes } from './stats/stats.routes.ts'
import { voiceRoutes } from './voice/voice.routes.ts'

export const coaching: Module = {
  name: 'coaching',
  purpose: 'Roleplays with invented buyers, and sessions of sellers with their coaches.',
  uses: ['identity', 'library'],
  schema: 'enablement',
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
