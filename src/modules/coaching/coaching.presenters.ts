import { definePresenter } from '#platform/module'
import { listPersonasByIds } from './personas/personas.queries.ts'
import { presentPersona } from './personas/personas.rules.ts'
import { Persona } from './personas/personas.schemas.ts'
import { presentScenarios } from './scenarios/present-scenario.service.ts'
import { listScenariosByIds } from './scenarios/scenarios.queries.ts'
import { Scenario } from './scenarios/scenarios.schemas.ts'

export const coachingPresenters = [
  definePresenter({
    subjectType: 'coaching_persona',
    schema: Persona,
    list: async (tx, ids) =>
      (await listPersonasByIds(tx, ids)).map((persona) => [persona.id, presentPersona(persona, { isAuthor: false })]),
  }),
  definePresenter({
    subjectType: 'coaching_scenario',
    schema: Scenario,
    async list(tx, ids) {
      const visible = (await listScenariosByIds(tx, ids)).filter(({ status }) => status !== 'draft')
      return (await presentScenarios(tx, visible, { isAuthor: false, userId: null })).map((scenario) => [
        scenario.id,
        scenario,
      ])
    },
  }),
]
