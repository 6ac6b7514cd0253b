import assert from 'node:assert/strict'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp, type TestUser } from '#testing'
import { readInvitationTokens } from './sending/invitation-tokens/invitation-tokens.service.ts'

export const surveysUrl = '/api/surveys/'
export const respondUrl = (token: string) => `/api/surveys/respond/${token}`
export const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

let count = 0

type InvitationFields = {
  email?: string
  contact_id?: string
  lead_id?: string
  account_id?: string
  language?: string
  expires_at?: Date
}

type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

/** Starts an application with a workspace. Surveys belong to the member, unless another user creates them. */
export async function startSurveysApp(environment: Record<string, string> = {}) {
  const app = await startTestApp(environment)
  const acme = await app.tenant()
  return { ...app, acme, ...surveyActions(app, acme) }
}

export function surveyActions(
  { services, clock }: Pick<Awaited<ReturnType<typeof startTestApp>>, 'services' | 'clock'>,
  acme: Acme,
) {
  async function createSurvey(
    { status = 'active', ...fields }: Record<string, unknown> = {},
    owner: TestUser = acme.member,
  ) {
    const input = { name: `Survey ${++count}`, survey_type: 'nps', ...fields }
    const created = await owner.post(surveysUrl, input)
    assert.equal(created.status, 201, created.text)
    const url = `${surveysUrl}${created.body.id}`
    if (status !== 'draft') {
      const changed = await owner.patch(url, { status: 'active' })
      assert.equal(changed.status, 200, changed.text)
      if (status !== 'active') assert.equal((await owner.patch(url, { status })).status, 200)
    }
    return { ...created.body, url } as { id: string; url: string; questions: { id: string; key: string }[] }
  }

  /** Inserts an invitation as sending would, and returns its token. */
  async function invite(surveyId: string, fields: InvitationFields = {}) {
    const [id, distributionId] = [newId(), newId()]
    const tokens = await inTenant(services.db, systemActor(acme.id), (tx) => readInvitationTokens(tx, services.secrets))
    const { email = `person${++count}@customer.example`, language = 'en', ...rest } = fields
    const now = clock.now()
    const expiresAt = rest.expires_at ?? new Date(now.getTime() + 30 * 86_400_000)
    const { contact_id = null, lead_id = null, account_id = null } = rest
    await acme.sql(
      `insert into surveys.distributions (tenant_id, id, survey_id, audience, status, send_at, reminder_days, expires_in_days)
       values ($1, $2, $3, '{}', 'sent', $4, '{}', 30)`,
      [acme.id, distributionId, surveyId, now],
    )
    await acme.sql(
      `insert into surveys.invitations (tenant_id, id, survey_id, distribution_id, token_hash, email, contact_id, lead_id,
         account_id, language, status, sent_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'sent', $11, $12)`,
      [
        acme.id,
        id,
        surveyId,
        distributionId,
        tokens.hashOf(id),
        email,
        contact_id,
        lead_id,
        account_id,
        language,
        now,
        expiresAt,
      ],
    )
    await acme.sql(
      'update surveys.counters set invited = invited + 1, sent = sent + 1 where tenant_id = $1 and survey_id = $2',
      [acme.id, surveyId],
    )
    return { id, email, token: tokens.tokenOf(id) }
  }

  /** Invites a lead. Only contacts and leads count as persons of an anonymous survey. */
  async function invitePerson(surveyId: string, fields: InvitationFields = {}) {
    const email = fields.email ?? `person${++count}@customer.example`
    const lead = await acme.manager.post('/api/leads/', { last_name: `Person ${count}`, email })
    assert.equal(lead.status, 201, lead.text)
    return await invite(surveyId, { ...fields, email, lead_id: lead.body.id })
  }

  async function createLink(survey: { url: string }, owner: TestUser = acme.member) {
    const link = await owner.post(`${survey.url}/link`)
    assert.equal(link.status, 201, link.text)
    return tokenOf(link.body.url)
  }

  const respond = (token: string, answers: object, fields: object = {}) =>
    acme.anonymous.post(respondUrl(token), { answers, ...fields })

  /** Responds through a public link as a new respondent. */
  const respondByLink = (token: string, answers: object, fields: object = {}) =>
    respond(token, answers, { submission_id: newId(), ...fields })

  const countersOf = async (surveyId: string) =>
    (await acme.sql('select * from surveys.counters where tenant_id = $1 and survey_id = $2', [acme.id, surveyId]))
      .rows[0]

  return { createSurvey, invite, invitePerson, createLink, respond, respondByLink, countersOf }
}
