import { setTimeout as sleep } from 'node:timers/promises'
import { mapConcurrently } from '#platform/concurrency'
import { newId } from '#platform/ids'
import { retryWhenBusy } from '#testing'
import { surveyActions } from '../../src/modules/surveys/surveys.fixture.ts'
import { type Race, runConcurrently, type TestApp, type TestWorkspace } from './race.ts'

const size = 50
const limit = 100
const respondents = 500

type Response = { status: number; body: { code?: string } }

async function prepare(app: TestApp) {
  const acme = await app.tenant()
  return { acme, ...surveyActions(app, acme) }
}

/** Reads the counters of a survey and its rows, in one statement. */
async function readCounts({ sql }: TestWorkspace, surveyId: string) {
  const { rows } = await sql(
    `select survey.status, counters.completed_invited + counters.completed_link as counted, counters.started,
       (select count(*)::int from surveys.responses where survey_id = $1) as responses,
       (select coalesce(sum(n), 0)::int from surveys.score_stats where survey_id = $1 and dim = 'all') as scores
     from surveys.surveys survey join surveys.counters counters on counters.survey_id = survey.id where survey.id = $1`,
    [surveyId],
  )
  return rows[0] as { status: string; counted: number; started: number; responses: number; scores: number }
}

const isConsistent = (
  { counted, started, responses, scores }: Awaited<ReturnType<typeof readCounts>>,
  expected: number,
) => [counted, started, responses, scores].every((count) => count === expected)

export const submitsWithOneToken: Race = {
  name: 'engagement-1-2 50 responses with one token at once',
  weight: 10,
  async prepare(app) {
    const { acme, createSurvey, invite, respond } = await prepare(app)
    return async () => {
      const survey = await createSurvey()
      const { token } = await invite(survey.id)

      const calls = Array.from({ length: size }, (_, n) => () => retryWhenBusy(() => respond(token, { score: n % 2 })))
      const responses = (await runConcurrently(...calls)) as Response[]

      const statuses = responses.map(({ status }) => status)
      if (statuses.filter((status) => status === 201).length !== 1) return { violation: `${statuses}` }
      if (statuses.some((status) => ![200, 201, 409].includes(status))) return { violation: `${statuses}` }
      const counts = await readCounts(acme, survey.id)
      return isConsistent(counts, 1)
        ? { outcome: `winner ${statuses.indexOf(201) % 2}` }
        : { violation: JSON.stringify(counts) }
    }
  },
}

export const responsesAboveTheLimit: Race = {
  name: 'engagement-1-7 500 respondents of a survey for 100',
  weight: 100,
  async prepare(app) {
    const { acme, createSurvey, createLink, respond } = await prepare(app)
    return async () => {
      const survey = await createSurvey({ response_limit: limit })
      const link = await createLink(survey)

      // More at once would mostly be asked to come back later.
      const scores = Array.from({ length: respondents }, (_, n) => n % 11)
      const responses: Response[] = await mapConcurrently(scores, size, (score) => {
        const submission_id = newId()
        return retryWhenBusy(() => respond(link, { score }, { submission_id }))
      })

      const accepted = responses.filter(({ status }) => status === 201 || status === 200).length
      const rejected = responses.filter(({ status }) => status === 410).length
      const counts = await readCounts(acme, survey.id)
      if (accepted !== limit || accepted + rejected !== respondents) return { violation: `${accepted}, ${rejected}` }
      if (counts.status !== 'closed' || !isConsistent(counts, limit)) return { violation: JSON.stringify(counts) }
      return { outcome: 'closed' }
    }
  },
}

export const responseAgainstClose: Race = {
  name: 'engagement-1-6 a response racing with close, pause and delete',
  async prepare(app) {
    const { acme, createSurvey, createLink, respondByLink } = await prepare(app)
    return async () => {
      const survey = await createSurvey()
      const link = await createLink(survey)
      const end = Math.random() < 0.5 ? 'closed' : 'paused'

      const [responded, changed] = await runConcurrently(
        () => respondByLink(link, { score: 9 }),
        async () => {
          // A response takes a few more steps than a change before it locks the survey.
          await sleep(Math.random() * 20)
          const update = await acme.member.patch(survey.url, { status: end })
          return end === 'closed' && update.status === 200 ? await acme.member.delete(survey.url) : update
        },
      )

      const isAccepted = responded.status === 201
      if (!isAccepted && ![409, 410].includes(responded.status)) return { violation: responded.text }
      if (changed.status !== (end === 'closed' ? 204 : 200)) return { violation: changed.text }
      const { rows } = await acme.sql('select count(*)::int as n from surveys.responses where survey_id = $1', [
        survey.id,
      ])
      const isKept = rows[0].n === (isAccepted ? 1 : 0)
      return isKept
        ? { outcome: isAccepted ? 'response first' : 'change first' }
        : { violation: `${rows[0].n} responses` }
    }
  },
}

export const responseAgainstQuestionDeletion: Race = {
  name: 'engagement-1-11 a response racing with the deletion of a question',
  async prepare(app) {
    const { acme, createSurvey, createLink, respondByLink } = await prepare(app)
    return async () => {
      const survey = await createSurvey()
      const link = await createLink(survey)
      const reason = survey.questions.find(({ key }) => key === 'reason')!

      const [responded, deleted] = await runConcurrently(
        () => respondByLink(link, { score: 9, reason: 'Fast' }),
        async () => {
          await sleep(Math.random() * 20)
          return await acme.member.delete(`${survey.url}/questions/${reason.id}`)
        },
      )

      const { rows } = await acme.sql(
        `select (select count(*)::int from surveys.answers where question_id = $1) as answers,
           (select archived_at is not null from surveys.questions where id = $1) as is_archived`,
        [reason.id],
      )
      const { answers, is_archived } = rows[0]
      if (deleted.status !== 204) return { violation: deleted.text }
      const isAnswered = responded.status === 201 && answers === 1 && is_archived === true
      const isRemoved = responded.status === 422 && answers === 0 && is_archived === null
      if (!isAnswered && !isRemoved) return { violation: `${responded.text} ${JSON.stringify(rows[0])}` }
      return { outcome: isAnswered ? 'response first' : 'deletion first' }
    }
  },
}
