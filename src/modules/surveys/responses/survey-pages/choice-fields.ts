import { escapeHtml } from '#platform/html'
import { otherOption } from '../../design/conditions/visible-path.rules.ts'
import type { PageProblem } from './answer-problems.rules.ts'
import { attributes, checkIcon, faceIcon, starIcon } from './html-parts.ts'
import { answerField, type FormFields, otherField, type PageQuestion, scaleOf } from './page-question.ts'
import type { SurveyTexts } from './texts/english-texts.ts'

const maxOtherLength = 500

type Choice = {
  type: 'radio' | 'checkbox'
  name: string
  value: string
  isChecked: boolean
  id: string
  content: string
}

const renderChoice = (
  { type, name, value, isChecked, id, content }: Choice,
  { question, problem }: FieldContext,
  mark: 'dot' | 'box' | '' = type === 'radio' ? 'dot' : 'box',
) =>
  `<label class="answer"><input${attributes({
    type,
    name,
    value,
    id,
    checked: isChecked,
    required: question.required && type === 'radio',
    autofocus: problem !== undefined && id.endsWith('-0'),
  })}><span${attributes({ class: mark || undefined })}>${mark ? `<i>${mark === 'box' ? checkIcon(14) : ''}</i>` : ''}${content}</span></label>`

const renderOwnText = (text: string, { ownLanguage }: FieldContext) =>
  ownLanguage ? `<span${attributes({ lang: ownLanguage })}>${escapeHtml(text)}</span>` : escapeHtml(text)

export function renderScale(context: FieldContext): string {
  const { question, fields } = context
  const name = answerField(question.key)
  const values = scaleOf(question)
  const choices = values.map((value, at) =>
    renderChoice(
      {
        type: 'radio',
        name,
        value: String(value),
        isChecked: fields[name] === String(value),
        id: `${question.key}-${at}`,
        content: `${renderShape(question, at / (values.length - 1))}<span>${value}</span>`,
      },
      context,
      '',
    ),
  )
  const width = values.length < 8 ? ' narrow' : ''
  const stars = question.rules.shape === 'star' ? ' stars' : ''
  return `<div class="scale columns-${values.length}${width}${stars}">${choices.join('')}</div>${renderEnds(context, values, width)}`
}

function renderShape({ question_type, rules }: PageQuestion, share: number): string {
  if (question_type !== 'rating') return ''
  return rules.shape === 'star' ? starIcon : rules.shape === 'smiley' ? faceIcon(share) : ''
}

function renderEnds(context: FieldContext, values: readonly number[], width: string): string {
  const { question_type: type, rules } = context.question
  const defaults = type === 'nps' || type === 'csat' || type === 'ces' ? context.texts.scaleEnds[type] : undefined
  const toEnd = (end: 'low' | 'high', value: number) => {
    const label = rules.labels?.[end]
    if (label) return `<span>${value} = ${escapeHtml(label)}</span>`
    return defaults ? `<span>${value} = ${renderOwnText(defaults[end], context)}</span>` : '<span></span>'
  }
  if (!defaults && !rules.labels?.low && !rules.labels?.high) return ''
  return `<div class="scale-ends${width}">${toEnd('low', values.at(0)!)}${toEnd('high', values.at(-1)!)}</div>`
}

export function renderSingleChoice(context: FieldContext): string {
  const { question, options, fields } = context
  const name = answerField(question.key)
  const choices = [
    ...options.map(({ key, label }) => ({ value: key, content: escapeHtml(label) })),
    ...(question.rules.allow_other
      ? [{ value: otherOption, content: renderOwnText(context.texts.choices.other, context) }]
      : []),
  ]
  const rendered = choices.map(({ value, content }, at) =>
    renderChoice(
      { type: 'radio', name, value, isChecked: fields[name] === value, id: `${question.key}-${at}`, content },
      context,
    ),
  )
  return [...rendered, renderOther(context)].join('')
}

export function renderMultipleChoice(context: FieldContext): string {
  const { question, options, fields } = context
  const choices = options.map(({ key, label }, at) => {
    const name = answerField(question.key, key)
    return renderChoice(
      {
        type: 'checkbox',
        name,
        value: '1',
        isChecked: fields[name] !== undefined,
        id: `${question.key}-${at}`,
        content: escapeHtml(label),
      },
      context,
    )
  })
  return [...choices, renderOther(context)].join('')
}

export function renderOther(context: FieldContext): string {
  const { question, fields } = context
  if (!question.rules.allow_other) return ''
  const name = otherField(question.key)
  const input = attributes({ class: 'input', name, value: fields[name] ?? '', maxlength: maxOtherLength })
  return `<label class="labeled">${renderOwnText(context.texts.choices.otherText, context)}<input${input}></label>`
}

export function renderYesNo(context: FieldContext): string {
  const name = answerField(context.question.key)
  const choices = [
    ['true', context.texts.choices.yes],
    ['false', context.texts.choices.no],
  ] as const
  return choices
    .map(([value, text], at) =>
      renderChoice(
        {
          type: 'radio',
          name,
          value,
          isChecked: context.fields[name] === value,
          id: `${context.question.key}-${at}`,
          content: renderOwnText(text, context),
        },
        context,
      ),
    )
    .join('')
}

export function renderConsent(context: FieldContext): string {
  const name = answerField(context.question.key)
  const isChecked = context.fields[name] === 'true'
  return renderChoice(
    {
      type: 'checkbox',
      name,
      value: 'true',
      isChecked,
      id: `${context.question.key}-0`,
      content: renderOwnText(context.texts.choices.agree, context),
    },
    context,
  )
}

/** Each option has a field for its place, so that ranking works without a script. */
export function renderRanking(context: FieldContext): string {
  const { question, options, fields, ownLanguage } = context
  return options
    .map(({ key, label }, at) => {
      const name = answerField(question.key, key)
      const places = options.map((_, place) => {
        const value = String(place + 1)
        return `<option${attributes({ value, selected: fields[name] === value })}>${value}</option>`
      })
      const select = attributes({ class: 'input', id: `${question.key}-${at}`, name })
      return `<label class="ranked"><span>${escapeHtml(label)}</span><select${select}><option value=""${attributes({ lang: ownLanguage })}>–</option>${places.join('')}</select></label>`
    })
    .join('')
}

export type FieldContext = {
  question: PageQuestion
  options: PageQuestion['options']
  fields: FormFields
  problem: PageProblem | undefined
  texts: SurveyTexts
  /** The language of `texts`, if it is not the language of the survey. */
  ownLanguage: string | undefined
}
