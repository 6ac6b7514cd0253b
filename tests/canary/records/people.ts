import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { runCadences } from '../../../src/modules/marketing/cadences/cadence-sending/run-cadences.jobs.ts'
import { allowSending } from '../../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import { surveyActions } from '../../../src/modules/surveys/surveys.fixture.ts'
import { addIds, type CanaryWorkspace, succeed } from '../canary-workspace.ts'

export const domain = 'customer.example'

/** A lead and a contact of the owner, and surveys that are sent to them. */
export async function createPeopleRecords(canary: CanaryWorkspace): Promise<void> {
  const { acme, word, users } = canary
  const { owner, admin } = users
  const lead = {
    last_name: word('lead name'),
    email: `${word('lead address')}@${domain}`,
    notes: word('lead notes'),
    owner_id: owner.userId,
  }
  const contact = { last_name: 'Lovelace', email: `${word('contact address')}@${domain}`, notes: word('contact notes') }
  const { body: createdLead } = await succeed(owner.post('/api/leads/', lead))
  const { body: createdContact } = await succeed(owner.post('/api/contacts/', contact))
  const activity = { type: 'note', body: word('lead activity') }
  await succeed(owner.post(`/api/leads/${createdLead.id}/activities`, activity))
  await succeed(admin.post('/api/leads/suppressions', { emails: [`${word('suppressed address')}@${domain}`] }))
  await allowSending(acme)
  addIds(canary, { lead: createdLead.id, contact: createdContact.id, user: owner.userId, colleague: owner.userId })
  addIds(canary, { user: users.manager.userId, colleague: users.manager.userId })
  await createSurveys(canary, createdContact.id)
  await sendCadence(canary, createdLead.id)
}

/** Sends the lead an email in the name of the owner. */
async function sendCadence(canary: CanaryWorkspace, leadId: string): Promise<void> {
  const { app, acme, users, word } = canary
  const { owner } = users
  await succeed(owner.put('/api/cadences/sender-settings', { signature: word('sender signature') }))
  const step = { type: 'email_auto', subject_template: 'Hello', body_template: 'Hello {{ last_name | there }}' }
  const window = { days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }
  const { body } = await succeed(owner.post('/api/cadences/', { name: 'Welcome', window, steps: [step] }))
  const url = `/api/cadences/${body.id}`
  await succeed(owner.patch(url, { status: 'active' }))
  await succeed(owner.post(`${url}/enrollments`, { lead_ids: [leadId] }))
  const { db } = app.services
  const inWorkspace = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(acme.id), work)
  await runCadences(app.services, { inTenant: inWorkspace, signal: new AbortController().signal })
  addIds(canary, { cadence: body.id, active_cadence: body.id })
}

async function createSurveys(canary: CanaryWorkspace, contactId: string): Promise<void> {
  const { app, acme, word, users } = canary
  const { createSurvey, createLink, respondByLink } = surveyActions(app, acme)
  const { owner } = users
  const survey = await createSurvey({}, owner)
  const answers = { score: 3, reason: word('survey answer') }
  await succeed(respondByLink(await createLink(survey, owner), answers))
  const emails = [{ email: `${word('invited address')}@${domain}` }]
  await succeed(owner.post(`${survey.url}/distribute`, { contact_ids: [contactId], emails }))
  const anonymous = await createSurvey({ anonymous: true }, owner)
  const waiting = { score: 3, reason: word('waiting anonymous answer') }
  await succeed(respondByLink(await createLink(anonymous, owner), waiting))
  addIds(canary, { survey: survey.id, active_survey: survey.id, invited_survey: survey.id })
  addIds(canary, { survey: anonymous.id, active_survey: anonymous.id })
}
