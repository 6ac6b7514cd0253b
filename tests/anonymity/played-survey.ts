import assert from 'node:assert/strict'
import { scopesOfRole, systemActor, type UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { startTestApp } from '#testing'
import { createSurveyResponse } from '../../src/modules/surveys/responses/respond/create-survey-response.service.ts'
import { updateSurvey } from '../../src/modules/surveys/responses/surveys/update-survey.service.ts'
import { readInvitationTokens } from '../../src/modules/surveys/sending/invitation-tokens/invitation-tokens.service.ts'
import type { surveyActions } from '../../src/modules/surveys/surveys.fixture.ts'
import type { Respondent } from './adversary.ts'
import type { Random } from './random.ts'

export type App = Awaited<ReturnType<typeof startTestApp>>
export type Acme = Awaited<ReturnType<App['tenant']>>
export type Answered = Respondent & {
  language: string
  lifecycle_stage: string | null
  month: string
  answers: { score: number; team?: string; boss?: string; note?: string; reason: string }
}

const languages = ['en', 'de', 'fr']
const stages = ['lead', 'opportunity', 'customer']
const questions = [
  { key: 'score', title: 'Score', question_type: 'nps', required: true, is_primary: true },
  { key: 'reason', title: 'Why?', question_type: 'long_text' },
  { key: 'note', title: 'Note?', question_type: 'short_text' },
  {
    key: 'team',
    title: 'Team?',
    question_type: 'single_choice',
    options: ['sales', 'legal', 'it'].map((key) => ({ key, label: key })),
  },
  { key: 'boss', title: 'Boss?', question_type: 'short_text', show_if: { question: 'team', op: 'eq', value: 'legal' } },
]
export const breakdowns = ['none', 'none', 'language', 'channel', 'lifecycle_stage'] as const

export type World = {
  app: App
  acme: Acme
  actions: ReturnType<typeof surveyActions>
  inAcme<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  leadIds: readonly string[]
}

let played = 0

/** A random anonymous survey, its respondents, and the events that may happen to it. */
export async function startSurvey({ app, acme, actions, inAcme, leadIds }: World, random: Random) {
  const breakdown = random.pick(breakdowns)
  const k = random.chance(0.8) ? 5 : 6
  const number = ++played
  const survey = await actions.createSurvey({ anonymous: true, min_group_size: k, breakdown, languages, questions })
  const link = await actions.createLink(survey)
  const tokens = await inAcme((tx) => readInvitationTokens(tx, app.services.secrets))
  const distribution = newId()
  await acme.sql(
    `insert into surveys.distributions (tenant_id, id, survey_id, audience, status, send_at, reminder_days, expires_in_days)
     values ($1, $2, $3, '{}', 'sent', '2031-01-01', '{}', 30)`,
    [acme.id, distribution, survey.id],
  )
  const respondents: Answered[] = []
  const freeLeads = [...leadIds]
  const actor: UserActor = {
    ...systemActor(acme.id),
    type: 'user',
    role: 'member',
    scopes: scopesOfRole('member'),
    userId: acme.member.userId,
  }
  let now = new Date('2031-01-03T12:00:00Z')
  /** Most respondents have the same properties, so that small groups and sums of groups occur. */
  const [usualLanguage, usualStage, usualTeam] = [
    random.pick(languages),
    random.pick(stages),
    random.pick(['sales', 'legal']),
  ]
  const usually = random.pick([0.6, 0.8, 0.9])
  const choose = <T>(usual: T, all: readonly T[]): T => (random.chance(usually) ? usual : random.pick(all))
  const visitors = random.pick([0, 0.1, 0.5])

  async function invite({ language, lifecycle_stage }: Answered, leadId: string | undefined): Promise<string> {
    const id = newId()
    await acme.sql(
      `insert into surveys.invitations (tenant_id, id, survey_id, distribution_id, token_hash, email, lead_id, language, lifecycle_stage,
         status, sent_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'sent', '2031-01-01', '2040-01-01')`,
      [
        acme.id,
        id,
        survey.id,
        distribution,
        tokens.hashOf(id),
        `${id}@x.example`,
        leadId ?? null,
        language,
        lifecycle_stage,
      ],
    )
    return tokens.tokenOf(id)
  }

  async function answer(): Promise<void> {
    const kind = random.chance(visitors) ? random.pick(['link', 'link', 'address']) : 'person'
    const lead_id = kind === 'person' ? freeLeads.pop() : undefined
    if (kind === 'person' && !lead_id) return
    const language = choose(usualLanguage, languages)
    const team = random.chance(0.85) ? choose(usualTeam, ['sales', 'legal', 'it']) : undefined
    const mark = `Mark ${number}-${respondents.length} of an answer`
    const one: Answered = {
      mark,
      isPerson: kind === 'person',
      channel: kind === 'link' ? 'link' : 'email',
      language,
      lifecycle_stage: kind === 'link' ? null : choose(usualStage, stages),
      month: `${now.toISOString().slice(0, 8)}01`,
      answers: {
        score: random.below(11),
        reason: mark,
        ...(team && { team }),
        ...(team === 'legal' && random.chance(0.7) && { boss: `Boss of ${mark}` }),
        ...(random.chance(0.15) && { note: `Note of ${mark}` }),
      },
    }
    const token = kind === 'link' ? link : await invite(one, lead_id)
    const response = {
      answers: one.answers,
      complete: true,
      language,
      ...(kind === 'link' && { submission_id: newId() }),
    }
    await inAcme((tx) => createSurveyResponse(tx, { token, response }, { clock: { now: () => now } }))
    respondents.push(one)
  }

  return {
    id: survey.id,
    url: survey.url,
    k,
    breakdown,
    respondents,
    answer,
    month: () => `${now.toISOString().slice(0, 8)}01`,
    pass: (days: number) => {
      now = daysLater(now, days)
    },
    close: () =>
      inAcme((tx) =>
        updateSurvey(
          tx,
          actor,
          survey.id,
          { changes: { status: 'closed' } },
          { ...app.services, clock: { now: () => now } },
        ),
      ),
    /** Harmless changes, and some that must be refused. */
    async edit() {
      const [changes, status] = random.pick([
        [{ name: `Survey ${number} ${random.below(1e6)}` }, 200],
        [{ intro: 'Hello' }, 200],
        [{ breakdown: breakdown === 'none' ? 'channel' : 'none' }, 409],
        [{ min_group_size: k + 3 }, 409],
        [{ anonymous: false }, 409],
      ] as const)
      const changed = await acme.member.patch(survey.url, changes)
      assert.equal(changed.status, status, changed.text)
    },
  }
}

export type PlayedSurvey = Awaited<ReturnType<typeof startSurvey>>
