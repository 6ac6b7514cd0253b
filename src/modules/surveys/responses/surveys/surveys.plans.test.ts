// Query plans of the lists of surveys and responses and of the lookup of tokens, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { hashToken } from '#platform/secrets'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import type { SurveyQuery } from '../../design/survey-records/surveys.schemas.ts'
import { listDueSurveyIds } from '../../results/maintenance/maintenance.queries.ts'
import { findInvitationByTokenHash, findLinkByTokenHash } from '../respond/token-holders.queries.ts'
import { deleteDraft, hasUsedToken } from '../responses/respondents.queries.ts'
import { findSubmission, listAnswers, listResponseRows, type ResponseFilter } from '../responses/responses.queries.ts'
import { listSurveyRows } from './list-surveys.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, memberId, surveyId, distributionId] = [newId(), newId(), newId(), newId()]
const insertSurveys = (tenantId: string, surveys: number) => `
  insert into surveys.surveys (tenant_id, id, name, survey_type, status, default_language, languages, partial_save, owner_id,
    created_at, closes_at, search_text)
  select '${tenantId}', case n when 1 then '${surveyId}'::uuid else gen_random_uuid() end, 'Survey ' || n,
    (array['nps', 'csat'])[1 + n / 2 % 2], (array['draft', 'active'])[1 + n % 2], 'en', '{en}', true,
    '${memberId}', now() - n * interval '1 minute', case when n % 50 = 0 then now() end, ' survey ' || n
  from generate_series(1, ${surveys}) n;
  insert into surveys.questions (tenant_id, id, survey_id, key, position, question_type, title)
  select '${tenantId}', gen_random_uuid(), '${surveyId}', 'q' || n, n, 'nps', '{}' from generate_series(1, 2) n;
  insert into surveys.distributions (tenant_id, id, survey_id, audience, status, send_at, reminder_days, expires_in_days)
  values ('${tenantId}', '${distributionId}', '${surveyId}', '{}', 'sent', now(), '{}', 30);
  insert into surveys.invitations (tenant_id, id, survey_id, distribution_id, token_hash, email, language, status, expires_at)
  select '${tenantId}', gen_random_uuid(), '${surveyId}', '${distributionId}', sha256(n::text::bytea), n || '@customer.example', 'en',
    'sent', now() from generate_series(1, 300) n;
  insert into surveys.drafts (tenant_id, holder_hash, survey_id, answers, language, started_at, saved_at, expires_at)
  select '${tenantId}', sha256(n::text::bytea), '${surveyId}', '{}', 'en', now(), now(), now() from generate_series(1, 100) n;
  insert into surveys.used_tokens (tenant_id, holder_hash, survey_id)
  select '${tenantId}', sha256(n::text::bytea), '${surveyId}' from generate_series(1, 100) n;
  insert into surveys.links (tenant_id, id, survey_id, token_hash)
  select '${tenantId}', gen_random_uuid(), id, sha256(id::text::bytea) from surveys.surveys where tenant_id = '${tenantId}' limit 100;
  insert into surveys.responses (tenant_id, id, survey_id, channel, language, sentiment, submission_id, started_at, submitted_at,
    submitted_on)
  select '${tenantId}', gen_random_uuid(), '${surveyId}', (array['email', 'link'])[1 + n % 2], 'en',
    (array['positive', 'neutral', 'negative'])[1 + n % 3], gen_random_uuid(), now(), now() - n * interval '1 minute', current_date
  from generate_series(1, 700) n`
await loadRows(owner, async (client) => {
  await client.query(insertSurveys(newId(), 100))
  await client.query(insertSurveys(acmeId, 2_500))
})
const { planOf: collectPlan } = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => collectPlan(systemActor(acmeId), work)
const page = { limit: 50, offset: 0, count: 'none' } as const

test('surveys are read from an index in their order, also behind a cursor', async () => {
  const cases: [Partial<SurveyQuery>, string][] = [
    [{}, 'surveys_by_creation'],
    [{ sort: 'created_at' }, 'surveys_by_creation'],
    [{ status: ['active'] }, 'surveys_by_status'],
    [{ survey_type: ['nps'] }, 'surveys_by_type'],
    [{ owner_id: memberId }, 'surveys_by_(owner|creation)'],
  ]
  for (const [filter, index] of cases) {
    let cursor: string | undefined
    const plan = await planOf(async (tx) => {
      cursor = (await listSurveyRows(tx, { ...page, ...filter })).next_cursor ?? undefined
    })
    const behind = await planOf((tx) => listSurveyRows(tx, { ...page, ...filter, cursor }))
    for (const text of [plan, behind]) {
      assert.match(text, new RegExp(`->  Limit .*\\n\\s*->  Index Scan (Backward )?using ${index} `))
      assert.doesNotMatch(text, /Seq Scan/)
    }
  }
  assert.doesNotMatch(await planOf((tx) => listSurveyRows(tx, { ...page, search: 'survey 17' })), /Seq Scan/)
})

test('responses are read from an index in their order', async () => {
  const cases: [ResponseFilter, string][] = [
    [{}, 'responses_by_survey'],
    [{ sentiment: ['negative'] }, 'responses_by_sentiment'],
    [{ channel: 'link' }, 'responses_by_channel'],
    [{ contact_id: newId() }, 'responses_by_contact'],
    [{ lead_id: newId() }, 'responses_by_lead'],
  ]
  for (const [filter, index] of cases) {
    const plan = await planOf((tx) => listResponseRows(tx, surveyId, filter, page))
    assert.match(plan, new RegExp(`Index (Only )?Scan using ${index} `))
    assert.doesNotMatch(plan, /Seq Scan/)
  }
  assert.match(await planOf((tx) => listAnswers(tx, [newId()])), /using answers_pkey |on answers_pkey/)
})

test('a token, its draft and its response are one index lookup each', async () => {
  const hash = hashToken('x')
  const cases: [(tx: TenantTx) => Promise<unknown>, string][] = [
    [(tx) => findInvitationByTokenHash(tx, hash), 'invitations_token_unique'],
    [(tx) => findLinkByTokenHash(tx, hash), 'links_token_unique'],
    [(tx) => hasUsedToken(tx, hash), 'used_tokens_pkey'],
    [(tx) => deleteDraft(tx, hash), 'drafts_pkey'],
    [(tx) => findSubmission(tx, { invitation_id: newId() }), 'responses_invitation_unique'],
    [(tx) => findSubmission(tx, { survey_id: surveyId, submission_id: newId() }), 'responses_submission_unique'],
    [(tx) => listDueSurveyIds(tx, new Date(), 50), 'surveys_to_close'],
  ]
  for (const [work, index] of cases) {
    const plan = await planOf(work)
    assert.match(plan, new RegExp(`(using|on) ${index}`))
    assert.doesNotMatch(plan, /Seq Scan/)
  }
})
