import { escapeHtml } from '#platform/html'
import { otherOption } from '../../design/conditions/visible-path.rules.ts'
import type { QuestionType } from '../../design/question-records/questions.schemas.ts'
import { describeCount, describeProblem, type PageProblem } from './answer-problems.rules.ts'
import {
  type FieldContext,
  renderConsent,
  renderMultipleChoice,
  renderOther,
  renderRanking,
  renderScale,
  renderSingleChoice,
  renderYesNo,
} from './choice-fields.ts'
import { attributes, warningIcon } from './html-parts.ts'
import { renderMatrix, rowId } from './matrix-fields.ts'
import { answerField, type PageQuestion } from './page-question.ts'
import type { SurveyTexts } from './texts/english-texts.ts'
import { formatBound } from './texts/survey-texts.ts'

const groups: Partial<Record<QuestionType, (context: FieldContext) => string>> = {
  nps: renderScale,
  csat: renderScale,
  ces: renderScale,
  rating: renderScale,
  single_choice: renderSingleChoice,
  multiple_choice: renderMultipleChoice,
  ranking: renderRanking,
  yes_no: renderYesNo,
  consent: renderConsent,
}

const isDropdown = ({ question_type, rules }: PageQuestion) =>
  question_type === 'single_choice' && rules.display === 'dropdown'

export function renderQuestion(context: FieldContext): string {
  const { question } = context
  const title = escapeHtml(question.title)
  const texts = renderTexts(context)
  if (question.question_type === 'statement') return `<div><h1 class="question">${title}</h1>${texts}</div>`
  if (question.question_type === 'matrix')
    return `<div role="group" aria-labelledby="question"><h1 class="question" id="question">${title}</h1>${texts}${renderMatrix(context)}</div>`
  const renderGroup = isDropdown(question) ? undefined : groups[question.question_type]
  if (!renderGroup)
    return `<div><h1 class="question"><label for="${question.key}-0">${title}</label></h1>${texts}<div class="answers">${renderInput(context)}</div></div>`
  return `<fieldset${describedBy(context)}><legend class="question"><h1>${title}</h1></legend>${texts}<div class="answers">${renderGroup(context)}</div></fieldset>`
}

export function firstControlOf(question: PageQuestion, problem: PageProblem): string {
  if (question.question_type !== 'matrix') return `${question.key}-0`
  const rows = (question.rules.rows ?? []).map(({ key }) => key)
  return rowId(question.key, Math.max(0, rows.indexOf(problem.missingRows[0] ?? '')), 0)
}

function renderTexts(context: FieldContext): string {
  const { question, problem, texts, ownLanguage } = context
  const hint = describeInput(context)
  const isShownInRow = problem && problem.missingRows.length > 0
  return [
    question.help ? `<p class="help" id="help">${escapeHtml(question.help)}</p>` : '',
    hint
      ? `<p${attributes({ class: question.help ? 'hint question-hint' : 'help', id: 'hint', lang: ownLanguage })}>${escapeHtml(hint)}</p>`
      : '',
    problem && !isShownInRow
      ? `<p${attributes({ class: 'error question-error', id: 'problem', lang: ownLanguage })}>${warningIcon(16)}${escapeHtml(describeProblem(question, problem.code, texts))}</p>`
      : '',
  ].join('')
}

const describedBy = (context: FieldContext): string =>
  attributes({
    'aria-describedby':
      [context.problem ? 'problem' : '', context.question.help ? 'help' : '', describeInput(context) ? 'hint' : '']
        .filter(Boolean)
        .join(' ') || undefined,
  })

function describeInput({ question, texts }: FieldContext): string {
  const { question_type: type, rules, required } = question
  const { hints } = texts
  const isOptional = !required && type !== 'statement' && type !== 'consent'
  const skipping = groups[type] || type === 'matrix' ? hints.optionalChoice : hints.optional
  const task =
    type === 'multiple_choice'
      ? describeCount(rules, texts)
      : type === 'ranking'
        ? rules.rank_all === false
          ? hints.rank
          : hints.rankAll
        : ''
  return [task, isOptional ? skipping : ''].filter(Boolean).join(' ')
}

function renderInput(context: FieldContext): string {
  const { question, fields, problem, ownLanguage } = context
  const { key, question_type: type, rules, required } = question
  const name = answerField(key)
  const shared = `${attributes({
    id: `${key}-0`,
    name,
    required,
    autofocus: problem !== undefined,
    'aria-invalid': problem ? 'true' : undefined,
  })}${describedBy(context)}`
  if (type === 'single_choice') return `${renderSelect(context, shared)}${renderOther(context)}`
  const hint = describeLimits(context)
  const note = hint ? `<p${attributes({ class: 'hint', lang: ownLanguage })}>${escapeHtml(hint)}</p>` : ''
  if (type === 'long_text')
    return `<textarea class="input" rows="6"${attributes({ maxlength: rules.max_length })}${shared}>\n${escapeHtml(fields[name] ?? '')}</textarea>${note}`
  const value = attributes({ value: fields[name] ?? '' })
  return `<input${inputTypeOf(question)}${value}${shared}>${note}`
}

/** Numbers are entered as text, because browsers drop what they do not recognize as a number. */
function inputTypeOf({ question_type: type, rules }: PageQuestion): string {
  if (type === 'number')
    return attributes({ class: 'input short', inputmode: rules.decimals ? 'decimal' : 'text', maxlength: 40 })
  if (type === 'date')
    return attributes({ class: 'input short', type: 'date', min: rules.min ?? undefined, max: rules.max ?? undefined })
  if (type === 'email') return attributes({ class: 'input', type: 'email', autocomplete: 'email', maxlength: 254 })
  const modes: Record<string, string> = { url: 'url', phone: 'tel', digits: 'numeric' }
  return attributes({ class: 'input', inputmode: modes[rules.format ?? ''], maxlength: rules.max_length })
}

function describeLimits({ question: { question_type: type, rules }, texts }: FieldContext): string {
  const { hints } = texts
  if (type === 'long_text') return hints.maxLength(formatBound(rules.max_length ?? 0, texts))
  if (type === 'number' || type === 'date') return describeRange(rules, texts)
  const { format } = rules
  return format === 'url' || format === 'phone' || format === 'digits' ? hints[format] : ''
}

function describeRange({ min, max }: PageQuestion['rules'], texts: SurveyTexts): string {
  const lower = min === null || min === undefined ? '' : formatBound(min, texts)
  const upper = max === null || max === undefined ? '' : formatBound(max, texts)
  if (lower && upper) return texts.hints.between(lower, upper)
  if (lower) return texts.hints.from(lower)
  return upper ? texts.hints.upTo(upper) : ''
}

function renderSelect({ question, options, fields, texts, ownLanguage }: FieldContext, shared: string): string {
  const chosen = fields[answerField(question.key)]
  const choices = [
    `<option value=""${attributes({ lang: ownLanguage })}>${texts.choices.select}</option>`,
    ...options.map(
      ({ key, label }) =>
        `<option${attributes({ value: key, selected: chosen === key })}>${escapeHtml(label)}</option>`,
    ),
    ...(question.rules.allow_other
      ? [
          `<option${attributes({ value: otherOption, selected: chosen === otherOption, lang: ownLanguage })}>${texts.choices.other}</option>`,
        ]
      : []),
  ]
  return `<select class="input"${shared}>${choices.join('')}</select>`
}
