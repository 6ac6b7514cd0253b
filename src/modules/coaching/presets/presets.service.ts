import { recordAuditEntries } from '#platform/audit'
import { type TenantTx, toSearchText } from '#platform/db'
import { newId } from '#platform/ids'
import { emitMany } from '#platform/outbox'
import { personaCreated, scenarioCreated } from '../coaching.events.ts'
import { completeCriteria } from '../criteria/complete-criteria.rules.ts'
import { toPersonaParts } from '../personas/personas.rules.ts'
import { presetPersonas } from './preset-personas.ts'
import { presetScenarios } from './preset-scenarios.ts'
import { hasPersonas, insertPersonas, insertScenarios, lockPresets } from './presets.queries.ts'

/** Creates the personas and scenarios of a new workspace, once. They can be changed and deleted like all others. */
export async function createPresets(tx: TenantTx): Promise<void> {
  await lockPresets(tx)
  if (await hasPersonas(tx)) return
  const idByKey = new Map(presetPersonas.map(({ key }) => [key, newId()]))
  const personas = await insertPersonas(
    tx,
    presetPersonas.map(({ key, traits, objections, facts, voice, ...persona }) => {
      const parts = toPersonaParts({ traits, objections, facts, voice: voice ?? {} })
      return {
        ...persona,
        id: idByKey.get(key)!,
        is_system: true,
        traits: JSON.stringify(parts.traits),
        objections: JSON.stringify(parts.objections),
        facts: JSON.stringify(parts.facts),
        voice: JSON.stringify(parts.voice),
      }
    }),
  )
  const scenarios = await insertScenarios(
    tx,
    presetScenarios.map(({ persona, rubric, max_turns = 24, ...scenario }) => ({
      ...scenario,
      id: newId(),
      is_system: true,
      status: 'published',
      persona_id: idByKey.get(persona)!,
      max_turns,
      rubric: JSON.stringify(completeCriteria(rubric)),
      search_text: toSearchText(scenario.title, scenario.description),
    })),
  )
  await recordAuditEntries(
    tx,
    'coaching_persona.created',
    personas.map((persona) => ({ id: persona.id, label: persona.name, after: persona })),
  )
  await recordAuditEntries(
    tx,
    'coaching_scenario.created',
    scenarios.map((scenario) => ({ id: scenario.id, label: scenario.title, after: scenario })),
  )
  await emitMany(
    tx,
    personaCreated,
    personas.map((subject) => ({ subject, data: { name: subject.name } })),
  )
  await emitMany(
    tx,
    scenarioCreated,
    scenarios.map((subject) => ({ subject, data: { title: subject.title } })),
  )
}
