import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { conflict, type InputError, invalidTransition, roleRequired } from '#platform/errors'
import type { Question } from '../question-records/questions.schemas.ts'
import { type Languages, listLanguageProblems, toTextMap } from '../translations/texts.rules.ts'
import type { TextMap } from '../translations/texts.schemas.ts'
import type { SurveyEffects, SurveyEmail } from './survey-details.schemas.ts'
import type { SurveyRow } from './survey-row.ts'
import type { EffectChanges, EmailChanges, SurveyStatus } from './surveys.schemas.ts'

const defaultEffects: SurveyEffects = {
  scoring: true,
  points: { positive: 15, neutral: 5, negative: -10, completed: 5 },
  alert_on_negative: true,
}
const defaultEmail: SurveyEmail = { subject: {}, body: {}, from_name: null, reply_to: null }

export const effectsOf = (stored: Partial<SurveyEffects>): SurveyEffects => mergeEffects(stored, {})
export const emailOf = (stored: Partial<SurveyEmail>): SurveyEmail => ({ ...defaultEmail, ...stored })

export function mergeEffects(stored: Partial<SurveyEffects>, changes: EffectChanges): SurveyEffects {
  const current = { ...defaultEffects, ...stored }
  return { ...current, ...changes, points: { ...current.points, ...changes.points } }
}

export function mergeEmail(
  stored: Partial<SurveyEmail>,
  { subject, body, ...changes }: EmailChanges,
  languages: Languages,
): SurveyEmail {
  const current = emailOf(stored)
  return {
    ...current,
    ...changes,
    subject: subject === undefined ? current.subject : toTextMap(subject, languages, current.subject),
    body: body === undefined ? current.body : toTextMap(body, languages, current.body),
  }
}

export const ownsOrManages = ({ role, userId }: UserActor, { owner_id }: { owner_id: string }): boolean =>
  owner_id === userId || isManagerOrAdmin(role)

export function assertOwnsOrManages(actor: UserActor, survey: { owner_id: string }): void {
  if (!ownsOrManages(actor, survey))
    throw roleRequired('Only the owner of the survey, managers and admins can do this.')
}

const transitions: Record<SurveyStatus, readonly SurveyStatus[]> = {
  draft: ['active'],
  active: ['paused', 'closed'],
  paused: ['active', 'closed'],
  closed: ['active'],
}

export function assertTransition({ status, anonymous }: SurveyRow, to: SurveyStatus): void {
  const allowed = anonymous && status === 'closed' ? [] : transitions[status]
  if (allowed.includes(to)) return
  const message = `The status of the survey cannot change from ${status} to ${to}.`
  throw invalidTransition(message, { from: status, to, allowed })
}

type Counts = { started: number; completed_invited: number; completed_link: number }

export const hasResponses = ({ started, completed_invited, completed_link }: Counts): boolean =>
  started + completed_invited + completed_link > 0

export const completedCount = ({ completed_invited, completed_link }: Counts): number =>
  completed_invited + completed_link

export const isFull = ({ response_limit }: Pick<SurveyRow, 'response_limit'>, counters: Counts): boolean =>
  response_limit !== null && completedCount(counters) >= response_limit

export const hasEnded = ({ status, closes_at }: Pick<SurveyRow, 'status' | 'closes_at'>, now: Date): boolean =>
  status === 'closed' || (closes_at !== null && closes_at <= now)

export const surveyHasResponsesError = (rule: string, firstUse = 'response') =>
  conflict('survey_has_responses', `${rule} after the first ${firstUse}.`)
export const surveyClosedError = (what: string) =>
  conflict('survey_closed', `${what} of a closed survey cannot change. Create a new survey.`)

const changeableWhenClosed: readonly string[] = ['name', 'description', 'effects', 'owner_id', 'campaign_id']

type ChangeState = { isClosed: boolean; hasResponses: boolean; isShared: boolean }

/** Rejects changes that the state of the survey does not allow. `isShared` means that an invitation or a link exists. */
export function assertChangeable(survey: SurveyRow, changes: Partial<SurveyRow>, state: ChangeState): void {
  const { min_group_size, languages, default_language, anonymous, breakdown } = changes
  const isLowered = min_group_size !== undefined && min_group_size < survey.min_group_size
  for (const field of Object.keys(changes))
    if (state.isClosed && !changeableWhenClosed.includes(field) && !(field === 'min_group_size' && !isLowered))
      throw surveyClosedError(`\`${field}\``)
  const isRemoved = languages !== undefined && survey.languages.some((language) => !languages.includes(language))
  if (anonymous !== undefined && (state.hasResponses || state.isShared))
    throw surveyHasResponsesError('`anonymous` cannot change', 'invitation, link or response')
  if (breakdown !== undefined && (state.hasResponses || state.isShared))
    throw surveyHasResponsesError('`breakdown` cannot change', 'invitation, link or response')
  // Recipients were invited on the terms of the current size, and results of two sizes could be subtracted.
  if (survey.anonymous && min_group_size !== undefined && (state.hasResponses || state.isShared))
    throw surveyHasResponsesError(
      '`min_group_size` of an anonymous survey cannot change',
      'invitation, link or response',
    )
  if (!state.hasResponses) return
  if (isLowered) throw surveyHasResponsesError('`min_group_size` cannot be reduced')
  if (isRemoved) throw surveyHasResponsesError('Languages cannot be removed')
  if (default_language !== undefined) throw surveyHasResponsesError('`default_language` cannot change')
}

const problem = (path: string, code: string, message: string): InputError => ({ in: 'body', path, code, message })

export function listSurveyProblems(survey: Omit<SurveyRow, 'id'>): InputError[] {
  const { reminder_days, default_language, languages, anonymous, partial_save, breakdown, email } = survey
  const problems: InputError[] = []
  if (reminder_days.some((day, index) => index > 0 && day <= reminder_days[index - 1]!))
    problems.push(problem('/reminder_days', 'order', '`reminder_days` must be in ascending order.'))
  if (!languages.includes(default_language))
    problems.push(problem('/default_language', 'enum', '`default_language` must be one of `languages`.'))
  if (anonymous && partial_save)
    problems.push(problem('/partial_save', 'not_allowed', '`partial_save` must be false for an anonymous survey.'))
  if (!anonymous && breakdown !== 'none')
    problems.push(problem('/breakdown', 'not_allowed', '`breakdown` must be `none` unless the survey is anonymous.'))
  const texts: [string, TextMap][] = [
    ...(['intro', 'thank_you', 'closed_message'] as const).map((name): [string, TextMap] => [`/${name}`, survey[name]]),
    ['/email/subject', email.subject],
    ['/email/body', email.body],
  ]
  return [...problems, ...texts.flatMap(([path, map]) => listLanguageProblems(path, map, survey))]
}

export function listActivationProblems(survey: SurveyRow, questions: readonly Question[], now: Date): InputError[] {
  const { survey_type, default_language, closes_at, email } = survey
  const problems: InputError[] = []
  if (!questions.some(({ question_type }) => question_type !== 'statement'))
    problems.push(problem('/questions', 'min_items', 'The survey must have a question that takes an answer.'))
  const primary = questions.filter(({ is_primary }) => is_primary)
  const isScored = primary.length === 1 && primary[0]!.question_type === survey_type && !primary[0]!.show_if
  if (survey_type !== 'custom' && !isScored) {
    const message = `The survey must have one primary question of the type ${survey_type} without \`show_if\`.`
    problems.push(problem('/questions', 'primary_question_required', message))
  }
  if (closes_at !== null && closes_at <= now)
    problems.push(problem('/closes_at', 'future', '`closes_at` must be in the future.'))
  const texts: [string, TextMap, boolean][] = [
    ...(['intro', 'thank_you', 'closed_message'] as const).map((name): [string, TextMap, boolean] => [
      `/${name}`,
      survey[name],
      false,
    ]),
    ['/email/subject', email.subject, false],
    ['/email/body', email.body, false],
    ...questions.flatMap(textsOf),
  ]
  for (const [path, map, isRequired] of texts)
    if ((isRequired || Object.keys(map).length) && map[default_language] === undefined)
      problems.push(problem(path, 'missing_text', `A text in \`${default_language}\` is required.`))
  return problems
}

function textsOf({ title, help, options, rules }: Question, index: number): [string, TextMap, boolean][] {
  const path = `/questions/${index}`
  const parts = (name: 'rows' | 'columns') =>
    (rules[name] ?? []).map(({ label }, part): [string, TextMap, boolean] => [
      `${path}/rules/${name}/${part}/label`,
      label,
      true,
    ])
  return [
    [`${path}/title`, title, true],
    [`${path}/help`, help, false],
    ...options.map(({ label }, part): [string, TextMap, boolean] => [`${path}/options/${part}/label`, label, true]),
    ...parts('rows'),
    ...parts('columns'),
    [`${path}/rules/labels/low`, rules.labels?.low ?? {}, false],
    [`${path}/rules/labels/high`, rules.labels?.high ?? {}, false],
  ]
}
