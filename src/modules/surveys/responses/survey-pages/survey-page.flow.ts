import { readPageTheme } from '#modules/identity'
import { AppError, type InputError } from '#platform/errors'
import type { PageTheme, PublicPage } from '#platform/html'
import type { RequestTransaction } from '#platform/http'
import { newRandomId } from '#platform/ids'
import type { Services } from '#platform/module'
import type { AnswerValues } from '../../design/conditions/visible-path.rules.ts'
import { createSurveyResponse } from '../respond/create-survey-response.service.ts'
import { getSurveyForm } from '../respond/get-survey-form.service.ts'
import type { SurveyForm } from '../respond/respond.schemas.ts'
import { getTokenHolder } from '../respond/token-holders.service.ts'
import type { FormFields } from './page-question.ts'
import { type CarriedValues, readCarriedValues, readFormerAnswers, selectScore } from './page-state.rules.ts'
import { buildQuestionPage, buildResultPage, type SurveyResult } from './survey-page.ts'
import { firstStep, keepValidAnswers, nextStep, rejectedStep, type ShownStep } from './survey-steps.rules.ts'
import { chooseResultLanguage } from './texts/survey-texts.ts'

type PageServices = Pick<Services, 'clock'>
export type PageRequest = {
  inTenant: RequestTransaction
  workspace: string
  token: string
  lang: string | undefined
  score: string | undefined
  acceptLanguage: string | undefined
}
export type SentPage = { status: number; theme: PageTheme; page: PublicPage }
type OpenedForm = { theme: PageTheme; form: SurveyForm; isLink: boolean }

/** Shows the first question without an answer, or why there is none. Saves nothing. */
export async function readSurveyPage(services: PageServices, request: PageRequest): Promise<SentPage> {
  const opened = await openForm(services, request)
  if ('error' in opened) return showError(request, opened)
  const { form, isLink } = opened
  if (form.state === 'completed') return showResult(opened, 200, answeredResult(form))
  const step = firstStep(form.questions, keepValidAnswers(form.questions, form.answers))
  const started_at = services.clock.now().toISOString()
  return showStep(request, opened, step, isLink ? { started_at, submission_id: newRandomId() } : { started_at })
}

/** Checks the answer of one page and shows the next one. The last page sends all answers. */
export async function submitSurveyPage(
  services: PageServices,
  request: PageRequest,
  fields: FormFields,
): Promise<SentPage> {
  const opened = await openForm(services, request)
  if ('error' in opened) return showError(request, opened)
  const { form, isLink } = opened
  if (form.state === 'completed') return showResult(opened, 409, answeredResult(form))
  const carried = readCarriedValues(fields, isLink)
  const answers = keepValidAnswers(form.questions, readFormerAnswers(form.questions, fields))
  const step = nextStep(form.questions, { stepKey: fields.step, isBack: fields.back !== undefined, answers, fields })
  if ('shown' in step) return showStep(request, opened, step.shown, carried)
  return await sendAnswers(services, request, opened, { answers: step.completed, carried })
}

async function sendAnswers(
  services: PageServices,
  request: PageRequest,
  opened: OpenedForm,
  { answers, carried }: { answers: AnswerValues; carried: CarriedValues },
): Promise<SentPage> {
  const { inTenant, token, acceptLanguage } = request
  const { questions, survey } = opened.form
  const response = { answers, complete: true, language: survey.language, ...carried }
  try {
    await inTenant((tx) => createSurveyResponse(tx, { token, response, acceptLanguage }, services))
    const thanks: SurveyResult = { kind: 'thanks', text: survey.thank_you, language: survey.language }
    return showResult(opened, 200, thanks)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const rejected = rejectedStep(questions, answers, listAnswerProblems(error))
    return rejected ? showStep(request, opened, rejected, carried) : showError(request, { ...opened, error })
  }
}

/** A public link is opened without its submission, so that the same answers can be sent again and are recognized. */
async function openForm(
  services: PageServices,
  { inTenant, ...request }: PageRequest,
): Promise<OpenedForm | { theme: PageTheme; error: AppError }> {
  return await inTenant(async (tx) => {
    const theme = await readPageTheme(tx, request.workspace)
    try {
      const [form, holder] = await Promise.all([
        getSurveyForm(tx, request, services),
        getTokenHolder(tx, request.token),
      ])
      return { theme, form, isLink: holder.kind === 'link' }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { theme, error }
    }
  })
}

/** The form is sent to the same language and score. */
function urlOf({ token, lang, score }: PageRequest): string {
  const query = new URLSearchParams({ ...(lang && { lang }), ...(score && { score }) }).toString()
  return `/s/${encodeURIComponent(token)}${query && `?${query}`}`
}

function showStep(request: PageRequest, opened: OpenedForm, step: ShownStep, carried: CarriedValues) {
  const { token } = request
  const { form, theme, isLink } = opened
  const page = buildQuestionPage(
    {
      theme,
      survey: form.survey,
      questions: form.questions,
      isPersonal: !isLink,
      action: urlOf(request),
      carried,
      seed: carried.submission_id ?? token,
    },
    selectScore(step, form),
  )
  return { status: step.problem ? 422 : 200, theme, page }
}

const showResult = ({ theme }: { theme: PageTheme }, status: number, result: SurveyResult): SentPage => ({
  status,
  theme,
  page: buildResultPage(theme, result),
})

const answeredResult = ({ survey }: SurveyForm): SurveyResult => ({ kind: 'answered', language: survey.language })

/** Unexpected errors and those of the service are sent as problem responses. */
function showError(request: PageRequest, { theme, error }: { theme: PageTheme; error: AppError }): SentPage {
  const kind = resultKindOf(error)
  if (!kind) throw error
  const language = chooseResultLanguage(request.lang, request.acceptLanguage)
  const text = error.extra.reason === 'closed' ? error.message : null
  return showResult({ theme }, error.status, { kind, text, language })
}

function resultKindOf({ status, code, extra }: AppError): SurveyResult['kind'] | undefined {
  if (status === 404) return 'unknown'
  if (code === 'survey_paused') return 'paused'
  if (code === 'already_responded') return 'answered'
  if (code !== 'link_expired') return undefined
  return extra.reason === 'closed' || extra.reason === 'deleted' ? 'closed' : 'expired'
}

/** Finds the answers that the survey does not accept, for example because a question has changed since its page was sent. */
function listAnswerProblems({ extra }: AppError): { key: string; code: string }[] {
  const errors = Array.isArray(extra.errors) ? (extra.errors as InputError[]) : []
  return errors.flatMap(({ path, code }) => {
    const key = /^\/answers\/([a-z0-9_]+)$/.exec(path)?.[1]
    return key === undefined ? [] : [{ key, code }]
  })
}
