import assert from 'node:assert/strict'
import type { startTestApp } from '#testing'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export const cadencesUrl = '/api/cadences/'

export const emailStep = (more: object = {}) => ({
  type: 'email_auto',
  subject_template: 'A question, {{ first_name | there }}',
  body_template: 'Hello {{ first_name | there }},\n\nwould you have ten minutes this week?',
  ...more,
})

let count = 0

export async function newCadence(acme: Acme, more: object = {}) {
  const input = { name: `Cadence ${++count}`, steps: [emailStep(), { type: 'call', delay_days: 2 }], ...more }
  const { status, body } = await acme.member.post(cadencesUrl, input)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

/** Sets the addresses without which no cadence can be activated. */
export async function allowSending(acme: Acme, sending: object = {}): Promise<void> {
  const { body: settings } = await acme.admin.get('/api/leads/settings')
  const { version: _, ...current } = settings
  const addresses = { from_address: 'sales@acme.example', postal_address: 'Acme, Main Street 1, 12345 Town' }
  const { status, body } = await acme.admin.put('/api/leads/settings', {
    ...current,
    sending: { ...current.sending, ...addresses, ...sending },
  })
  assert.equal(status, 200, JSON.stringify(body))
}

export async function newActiveCadence(acme: Acme, more: object = {}) {
  await allowSending(acme)
  const { id } = await newCadence(acme, { owner_id: acme.member.userId, ...more })
  return await updateCadence(acme, id, { status: 'active' })
}

export async function updateCadence(acme: Acme, id: string, changes: object, user = acme.manager) {
  const { status, body } = await user.patch(`${cadencesUrl}${id}`, changes)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

export const getCadence = async (acme: Acme, id: string) => (await acme.viewer.get(`${cadencesUrl}${id}`)).body

export async function newLead(acme: Acme, more: object = {}): Promise<string> {
  const input = { last_name: 'Moss', email: `person${++count}@initech.example`, ...more }
  const { status, body } = await acme.member.post('/api/leads/', input)
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

export async function newContact(acme: Acme, more: object = {}): Promise<string> {
  const input = { last_name: 'Moss', email: `person${++count}@initech.example`, ...more }
  const { status, body } = await acme.member.post('/api/contacts/', input)
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

export async function optOut(acme: Acme, leadId: string): Promise<void> {
  const consent = { email_status: 'unsubscribed', basis: 'none', source: 'letter' }
  assert.equal((await acme.member.put(`/api/leads/${leadId}/consent`, consent)).status, 200)
}

export async function enroll(acme: Acme, cadenceId: string, persons: object, user = acme.member) {
  const { status, body } = await user.post(`${cadencesUrl}${cadenceId}/enrollments`, persons)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** The codes of skipped persons, and `enrolled` for the others. */
export const outcomesOf = ({ results }: { results: { outcome: string; code: string | null }[] }): string[] =>
  results.map(({ outcome, code }) => code ?? outcome)

export async function listEnrollments(acme: Acme, cadenceId: string, query = '') {
  const { status, body } = await acme.viewer.get(`${cadencesUrl}${cadenceId}/enrollments${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items
}

export const getStats = async (acme: Acme, id: string) => (await acme.viewer.get(`${cadencesUrl}${id}/stats`)).body
