import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String())
const Text = Type.String()

export const personaCreated = defineEvent('coaching_persona.created', {
  resource: 'coaching',
  description: 'A persona was created',
  data: strict({ name: Text }),
})
export const personaUpdated = defineEvent('coaching_persona.updated', {
  resource: 'coaching',
  description: 'A persona was updated',
  data: strict({ changed: Fields }),
})
export const personaDeleted = defineEvent('coaching_persona.deleted', {
  resource: 'coaching',
  description: 'A persona was deleted',
  data: strict({}),
})
export const scenarioCreated = defineEvent('coaching_scenario.created', {
  resource: 'coaching',
  description: 'A coaching scenario was created',
  data: strict({ title: Text }),
})
export const scenarioUpdated = defineEvent('coaching_scenario.updated', {
  resource: 'coaching',
  description: 'A coaching scenario was updated',
  data: strict({ changed: Fields }),
})
export const scenarioPublished = defineEvent('coaching_scenario.published', {
  resource: 'coaching',
  description: 'A coaching scenario was published',
  data: strict({}),
})
export const scenarioArchived = defineEvent('coaching_scenario.archived', {
  resource: 'coaching',
  description: 'A coaching scenario was archived',
  data: strict({}),
})
export const scenarioDeleted = defineEvent('coaching_scenario.deleted', {
  resource: 'coaching',
  description: 'A coaching scenario was deleted',
  data: strict({}),
})
export const coachingSessionScheduled = defineEvent('coaching_session.scheduled', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A coaching session was scheduled',
  data: strict({ rep_id: Id, coach_id: Id, scenario_id: Id }),
})
export const coachingSessionUpdated = defineEvent('coaching_session.updated', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A coaching session was updated',
  data: strict({ changed: Fields }),
})
export const coachingSessionCompleted = defineEvent('coaching_session.completed', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A coaching session was completed',
  data: strict({ rep_id: Id, coach_id: nullable(Id), score: nullable(Type.Integer()) }),
})
export const coachingSessionCancelled = defineEvent('coaching_session.cancelled', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A coaching session was cancelled or missed',
  data: strict({ rep_id: Id, coach_id: nullable(Id), reason: Text }),
})
export const roleplayStarted = defineEvent('coaching_session.started', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A roleplay was started',
  data: strict({ rep_id: Id, scenario_id: nullable(Id) }),
})
export const roleplayFinished = defineEvent('coaching_session.finished', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A roleplay was finished and scored',
  data: strict({
    rep_id: Id,
    scenario_id: nullable(Id),
    score: nullable(Type.Integer()),
    passed: nullable(Type.Boolean()),
    is_automatic: Type.Boolean(),
  }),
})
export const roleplayAbandoned = defineEvent('coaching_session.abandoned', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A roleplay ended after a day without a message',
  data: strict({ rep_id: Id }),
})
