import { escapeHtml, type PageTheme, type PublicPage, renderSender } from '#platform/html'
import { shuffleOptions } from './answer-fields.rules.ts'
import { describeProblem } from './answer-problems.rules.ts'
import { attributes, checkIcon, closedIcon, pauseIcon, warningIcon } from './html-parts.ts'
import { formerField, type PageQuestion } from './page-question.ts'
import { firstControlOf, renderQuestion } from './question-fields.ts'
import { type Progress, progressOf, type ShownStep, type StepQuestion } from './survey-steps.rules.ts'
import type { SurveyTexts } from './texts/english-texts.ts'
import { ownLanguageOf, textsIn } from './texts/survey-texts.ts'

export type SurveyView = {
  theme: PageTheme
  survey: { name: string; intro: string | null; language: string; anonymous: boolean; recipients: number | null }
  questions: readonly StepQuestion[]
  isPersonal: boolean
  action: string
  carried: Readonly<Record<string, string>>
  /** Gives each respondent another order of options. */
  seed: string
}

type PageTexts = { texts: SurveyTexts; ownLanguage: string | undefined }

const renderHiddenField = (name: string, value: string) => `<input${attributes({ type: 'hidden', name, value })}>`

/** The page of one question. It contains the other answers, so that the server keeps nothing until the last page. */
export function buildQuestionPage(view: SurveyView, step: ShownStep): PublicPage {
  const { survey, questions } = view
  const { question, fields, problem } = step
  const texts = textsIn(survey.language)
  const ownLanguage = ownLanguageOf(texts, survey.language)
  const pageTexts = { texts, ownLanguage }
  const progress = progressOf(questions, step)
  const options = question.rules.shuffle ? shuffleOptions(question.options, view.seed) : question.options
  const formerAnswers = Object.entries(step.answers).map(([key, value]) =>
    renderHiddenField(formerField(key), JSON.stringify(value)),
  )
  const carried = Object.entries({ ...view.carried, step: question.key }).map(([name, value]) =>
    renderHiddenField(name, value),
  )
  return {
    layout: 'survey',
    language: survey.language,
    title: problem ? texts.error(survey.name) : survey.name,
    header: renderHeader(view.theme, progress, pageTexts),
    main: `<form method="post"${attributes({ action: view.action })} novalidate>
${renderSummary(step, pageTexts)}
${progress.number === 1 && survey.intro ? `<p class="intro">${escapeHtml(survey.intro)}</p>` : ''}
${renderQuestion({ question, options, fields, problem, ...pageTexts })}
${carried.join('')}${formerAnswers.join('')}
${renderActions(question, progress, pageTexts)}
</form>`,
    footer: `<span${attributes({ lang: ownLanguage })}>${escapeHtml(describePrivacy(view, texts))}</span>${renderProduct(pageTexts)}`,
  }
}

function describePrivacy({ theme: { workspace }, survey, isPersonal }: SurveyView, texts: SurveyTexts): string {
  const { anonymous, recipients } = survey
  if (anonymous) return recipients === null ? texts.anonymous : `${texts.anonymous} ${texts.recipients(recipients)}`
  return isPersonal ? texts.answersGoWithName(workspace) : texts.answersGoTo(workspace)
}

const renderProduct = ({ texts, ownLanguage: lang }: PageTexts) =>
  `<span${attributes({ lang })}>${texts.productName('Tributary')}</span>`

function renderHeader(
  { workspace, logoUrl }: PageTheme,
  progress: Progress,
  { texts, ownLanguage: lang }: PageTexts,
): string {
  const { number, total, value, max } = progress
  const bar = attributes({ 'aria-label': texts.progress, value, max, lang })
  return `<progress${bar}></progress>${renderSender(workspace, logoUrl)}<p${attributes({ lang })}>${texts.question(number, total)}</p>`
}

function renderSummary({ question, problem }: ShownStep, { texts, ownLanguage: lang }: PageTexts): string {
  if (!problem) return ''
  const row = question.rules.rows?.find(({ key }) => key === problem.missingRows[0])
  const link = row ? texts.problems.rateRow(row.label) : describeProblem(question, problem.code, texts)
  const heading = problem.isMissing ? texts.answerMissing : texts.answerInvalid
  const href = `#${firstControlOf(question, problem)}`
  return `<div${attributes({ class: 'note bad', role: 'alert', lang })}>${warningIcon(18)}<p><b>${heading}</b> <a${attributes({ href })}>${escapeHtml(link)}</a></p></div>`
}

const typesWithoutEnter = ['long_text', 'ranking']
const submitsWithEnter = ({ question_type, rules }: PageQuestion) =>
  !typesWithoutEnter.includes(question_type) && rules.display !== 'dropdown'

function renderActions(question: PageQuestion, { number, isLast }: Progress, pageTexts: PageTexts): string {
  const { texts, ownLanguage: lang } = pageTexts
  const hint =
    submitsWithEnter(question) && !isLast
      ? `<span class="hint">${texts.orPress} <kbd>${texts.enterKey}</kbd></span>`
      : ''
  const back =
    number > 1 ? `<button class="button quiet" type="submit" name="back" value="1">${texts.back}</button>` : ''
  return `<div${attributes({ class: 'actions', lang })}><button class="button primary" type="submit">${isLast ? texts.send : texts.next}</button>${back}${hint}</div>`
}

export type SurveyResult = {
  kind: keyof SurveyTexts['results']
  /** A text of the survey. It replaces the text of the page, except for thanks. */
  text?: string | null
  language: string
}

export function buildResultPage({ workspace, logoUrl }: PageTheme, { kind, text, language }: SurveyResult): PublicPage {
  const texts = textsIn(language)
  const ownLanguage = ownLanguageOf(texts, language)
  const result = texts.results[kind]
  const isSuccess = kind === 'thanks' || kind === 'answered'
  const icon = isSuccess ? checkIcon(26) : kind === 'paused' ? pauseIcon : closedIcon
  const ownText = `<p${attributes({ class: kind === 'thanks' ? 'hint' : undefined, lang: ownLanguage })}>${result.text}</p>`
  const parts = [
    `<div class="state-icon ${isSuccess ? 'good' : 'plain'}">${icon}</div>`,
    `<h1${attributes({ lang: ownLanguage })}>${result.title}</h1>`,
    text ? `<p>${escapeHtml(text)}</p>` : '',
    text && kind !== 'thanks' ? '' : ownText,
  ]
  return {
    layout: 'survey',
    language,
    title: result.title,
    header: renderSender(workspace, logoUrl),
    main: `<div class="result">${parts.join('')}</div>`,
    footer: renderProduct({ texts, ownLanguage }),
  }
}
