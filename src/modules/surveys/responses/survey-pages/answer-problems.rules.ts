import { answerField, type FormFields, type PageQuestion, scaleOf } from './page-question.ts'
import type { SurveyTexts } from './texts/english-texts.ts'
import { formatBound } from './texts/survey-texts.ts'

export type PageProblem = { code: string; isMissing: boolean; missingRows: readonly string[] }

const missingCodes = ['required', 'consent_required', 'other_missing']

export function toPageProblem(question: PageQuestion, code: string, fields: FormFields): PageProblem {
  const isMissing = missingCodes.includes(code)
  const missingRows = question.question_type === 'matrix' && isMissing ? listMissingRows(question, fields) : []
  return { code, isMissing, missingRows }
}

const listMissingRows = ({ key, rules: { rows = [] } }: PageQuestion, fields: FormFields): string[] =>
  rows.filter((row) => !fields[answerField(key, row.key)]).map((row) => row.key)

export function describeProblem(question: PageQuestion, code: string, texts: SurveyTexts): string {
  const { problems } = texts
  switch (question.question_type) {
    case 'nps':
    case 'csat':
    case 'ces':
    case 'rating':
      return problems.scale(scaleOf(question).at(0)!, scaleOf(question).at(-1)!)
    case 'single_choice':
      return code === 'other_missing' ? problems.other : problems.choice
    case 'multiple_choice':
      return describeChoices(question, code, texts)
    case 'ranking':
      return code === 'unique' ? problems.placesTwice : problems.allPlaces
    case 'matrix':
      return problems.row
    case 'number':
      return describeNumber(question, code, texts)
    case 'date':
      return describeDate(question, code, texts)
    case 'email':
      return problems.email
    case 'yes_no':
    case 'statement':
      return problems.choice
    case 'consent':
      return problems.consent
    case 'short_text':
    case 'long_text':
      return describeText(question, code, texts)
  }
}

function describeChoices({ rules }: PageQuestion, code: string, texts: SurveyTexts): string {
  if (code === 'exclusive') return texts.problems.exclusive
  return code === 'min_items' || code === 'max_items' ? describeCount(rules, texts) : texts.problems.choices
}

export function describeCount(
  { min_selected: least = 0, max_selected }: PageQuestion['rules'],
  { hints }: SurveyTexts,
): string {
  const most = max_selected ?? null
  if (most === null) return least > 0 ? hints.chooseAtLeast(least) : hints.chooseAny
  if (least === most) return hints.chooseExactly(most)
  return least > 0 ? hints.chooseBetween(least, most) : hints.chooseAtMost(most)
}

function describeText({ rules }: PageQuestion, code: string, texts: SurveyTexts): string {
  const { problems } = texts
  if (code === 'max_length') return problems.maxLength(formatBound(rules.max_length ?? 0, texts))
  if (code !== 'format') return problems.text
  const { format } = rules
  return format === 'url' || format === 'phone' || format === 'digits' ? problems[format] : problems.text
}

function describeNumber({ rules: { min, max, decimals = 0 } }: PageQuestion, code: string, texts: SurveyTexts): string {
  const { problems } = texts
  if (code === 'minimum') return problems.min(formatBound(min!, texts))
  if (code === 'maximum') return problems.max(formatBound(max!, texts))
  return code === 'decimals' ? problems.decimals(decimals) : problems.number
}

function describeDate({ rules: { min, max } }: PageQuestion, code: string, texts: SurveyTexts): string {
  if (code === 'minimum') return texts.problems.notBefore(formatBound(min!, texts))
  return code === 'maximum' ? texts.problems.notAfter(formatBound(max!, texts)) : texts.problems.date
}
