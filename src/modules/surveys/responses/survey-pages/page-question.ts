import { otherOption } from '../../design/conditions/visible-path.rules.ts'
import type { QuestionRules, QuestionType } from '../../design/question-records/questions.schemas.ts'
import { scoreRanges } from '../../design/scores/scores.rules.ts'

type LabeledKey = { key: string; label: string }

/** A question with its texts in the language of the respondent. */
export type PageQuestion = {
  key: string
  question_type: QuestionType
  title: string
  help: string | null
  required: boolean
  options: readonly (LabeledKey & { exclusive?: boolean })[]
  rules: Omit<QuestionRules, 'labels' | 'rows' | 'columns'> & {
    labels?: { low: string | null; high: string | null }
    rows?: readonly LabeledKey[]
    columns?: readonly LabeledKey[]
  }
}

export type FormFields = Readonly<Record<string, string>>

export const answerField = (question: string, part?: string) =>
  part === undefined ? `a.${question}` : `a.${question}.${part}`
export const otherField = (question: string) => answerField(question, otherOption)

export function scaleOf({ question_type: type, rules }: Pick<PageQuestion, 'question_type' | 'rules'>): number[] {
  const isScore = type === 'nps' || type === 'csat' || type === 'ces'
  const { min, max } = isScore ? scoreRanges[type] : { min: 1, max: rules.scale ?? 5 }
  return Array.from({ length: max - min + 1 }, (_, at) => min + at)
}

export const formerField = (question: string) => `former.${question}`
