import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { getCounters } from '../../design/counters/counters.queries.ts'
import { liveOptions } from '../../design/question-records/question-rules.rules.ts'
import { listQuestions } from '../../design/question-records/questions.queries.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import { scoreRanges } from '../../design/scores/scores.rules.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { findSurveyIncludingDeleted } from '../../design/survey-records/surveys.queries.ts'
import { isFull } from '../../design/survey-records/surveys.rules.ts'
import { chooseLanguage, textIn } from '../../design/translations/texts.rules.ts'
import type { TextMap } from '../../design/translations/texts.schemas.ts'
import { findDraft } from '../responses/respondents.queries.ts'
import { assertOpen, assertShown, holderHashOf, parseScore, privacyNoteOf, type TokenHolder } from './respond.rules.ts'
import type { FormQuestion, SurveyForm } from './respond.schemas.ts'
import { findCompletion, getTokenHolder } from './token-holders.service.ts'

type FormRequest = {
  token: string
  lang?: string | undefined
  acceptLanguage?: string | undefined
  score?: string | undefined
  submissionId?: string | undefined
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Changes nothing, because security scanners open links of emails. */
export async function getSurveyForm(
  tx: TenantTx,
  request: FormRequest,
  { clock }: Pick<Services, 'clock'>,
): Promise<SurveyForm> {
  const now = clock.now()
  const holder = await getTokenHolder(tx, request.token)
  const survey = (await findSurveyIncludingDeleted(tx, holder.surveyId))!
  assertShown(survey)
  const submissionId =
    holder.kind === 'link' && uuidPattern.test(request.submissionId ?? '') ? request.submissionId : undefined
  const holderHash = holderHashOf(request.token, submissionId)
  const language = languageOf(survey, holder, request)
  const counters = await getCounters(tx, survey.id)
  const { invited } = counters
  if (await findCompletion(tx, survey, { holder, holderHash, submissionId }))
    return toForm(survey, holder, { state: 'completed', language, questions: [], invited })

  assertOpen(survey, holder, { now, language, isFull: isFull(survey, counters) })
  const [all, draft] = await Promise.all([listQuestions(tx, survey.id), findDraft(tx, holderHash)])
  const score = parseScore(request.score, survey.survey_type === 'custom' ? undefined : scoreRanges[survey.survey_type])
  return {
    ...toForm(survey, holder, {
      state: 'open',
      language: request.lang === undefined && draft ? draft.language : language,
      questions: all.filter(({ archived_at }) => archived_at === null),
      invited,
    }),
    answers: draft && draft.expires_at > now ? draft.answers : {},
    prefill: score === null ? null : { score },
  }
}

type LanguageRequest = Pick<FormRequest, 'lang' | 'acceptLanguage'>

export function languageOf(survey: SurveyRow, holder: TokenHolder, { lang, acceptLanguage }: LanguageRequest): string {
  const invited = holder.kind === 'invitation' ? holder.invitation.language : undefined
  return chooseLanguage(survey, { requested: [lang, invited], acceptLanguage })
}

type FormContent = { state: 'open' | 'completed'; language: string; questions: readonly Question[]; invited: number }

function toForm(
  survey: SurveyRow,
  holder: TokenHolder,
  { state, language, questions, invited }: FormContent,
): SurveyForm {
  const { name, survey_type, anonymous, partial_save, languages, intro, thank_you, closes_at } = survey
  const invitedUntil = holder.kind === 'invitation' ? holder.invitation.expires_at : null
  const ends = [invitedUntil, closes_at].flatMap((end) => end ?? [])
  return {
    state,
    survey: {
      name,
      survey_type,
      anonymous,
      partial_save,
      languages,
      language,
      intro: textIn(intro, language, survey),
      thank_you: textIn(thank_you, language, survey),
      privacy_note: privacyNoteOf(survey, holder),
      recipients: anonymous && holder.kind === 'invitation' ? invited : null,
    },
    questions: questions.map((question) => toFormQuestion(question, (map) => textIn(map, language, survey))),
    answers: {},
    prefill: null,
    expires_at: ends.length ? new Date(Math.min(...ends.map((end) => end.getTime()))) : null,
  }
}

function toFormQuestion(question: Question, translate: (map: TextMap) => string | null): FormQuestion {
  const { key, question_type, title, help, required, options, show_if, end_if } = question
  const { labels, rows, columns, ...rules } = question.rules
  const toPart = (part: { key: string; label: TextMap }) => ({
    key: part.key,
    label: translate(part.label) ?? part.key,
  })
  return {
    key,
    question_type,
    required,
    show_if,
    end_if,
    title: translate(title) ?? key,
    help: translate(help),
    options: liveOptions(options).map((option) => ({ ...toPart(option), exclusive: option.exclusive })),
    rules: {
      ...rules,
      ...(labels && { labels: { low: translate(labels.low), high: translate(labels.high) } }),
      ...(rows && { rows: rows.map(toPart) }),
      ...(columns && { columns: columns.map(toPart) }),
    },
  }
}
