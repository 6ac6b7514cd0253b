import { mergeRules } from './question-rules.rules.ts'
import type { NewRules, Question, QuestionType } from './questions.schemas.ts'

const languages = { default_language: 'en', languages: ['en'] }
export const optionsOf = (...keys: string[]) =>
  keys.map((key) => ({ key, label: { en: key }, exclusive: key === 'none', archived: key === 'gone' }))

export function createQuestion(
  key: string,
  question_type: QuestionType,
  { rules = {}, ...fields }: Partial<Omit<Question, 'rules'>> & { rules?: NewRules } = {},
): Question {
  const now = new Date()
  const times = { created_at: now, updated_at: now, archived_at: null }
  const base = { id: key, survey_id: 's', key, position: 1, title: { en: key }, help: {}, required: false, version: 1 }
  const branching = { is_primary: false, show_if: null, end_if: null, revision: 1 }
  const options = optionsOf()
  return {
    ...base,
    ...branching,
    ...times,
    options,
    question_type,
    rules: mergeRules(question_type, rules, { languages }),
    ...fields,
  }
}
