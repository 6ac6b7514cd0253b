import assert from 'node:assert/strict'
import { newId } from '#platform/ids'
import type { startTestApp } from '#testing'

export const personasUrl = '/api/enablement/coaching/personas'
export const scenariosUrl = '/api/enablement/coaching/scenarios/'
export const sessionsUrl = '/api/enablement/coaching/sessions/'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

/** The rubric of the worked example: talk ratio 20, questions 30, objections 30, next step 20. */
export const exampleRubric = [
  { key: 'talk_ratio', name: 'Talk ratio', weight: 20, kind: 'talk_ratio' },
  { key: 'questions', name: 'Questions', weight: 30, kind: 'questions' },
  { key: 'objections', name: 'Objections', weight: 30, kind: 'objections' },
  { key: 'next_step', name: 'Next step', weight: 20, kind: 'next_step' },
]

export async function createPersona({ manager }: Acme, fields: object = {}): Promise<{ id: string; name: string }> {
  const persona = { name: `Buyer ${newId()}`, job_title: 'Head of Operations', style: 'analytical', ...fields }
  const { status, body, text } = await manager.post(personasUrl, persona)
  assert.equal(status, 201, text)
  return body
}

/** Creates a scenario with a persona. It is published unless `status` is given. */
export async function createScenario(
  acme: Acme,
  { status = 'published', persona, ...fields }: { status?: string; persona?: object; [field: string]: unknown } = {},
): Promise<{ id: string; url: string; persona_id: string }> {
  const { id: persona_id } = await createPersona(acme, persona)
  const scenario = { title: 'First call', type: 'discovery', rubric: exampleRubric, persona_id, ...fields }
  const { status: created, body, text } = await acme.manager.post(scenariosUrl, scenario)
  assert.equal(created, 201, text)
  const url = `${scenariosUrl}${body.id}`
  if (status !== 'draft') assert.equal((await acme.manager.patch(url, { status })).status, 200)
  return { ...body, url }
}
