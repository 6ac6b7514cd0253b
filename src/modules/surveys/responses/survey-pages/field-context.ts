import type { PageProblem } from './answer-problems.rules.ts'
import type { SurveyTexts } from './english-texts.ts'
import type { FormFields, PageQuestion } from './page-question.ts'

export type FieldContext = {
  question: PageQuestion
  options: PageQuestion['options']
  fields: FormFields
  problem: PageProblem | undefined
  texts: SurveyTexts
  /** The language of `texts`, if it is not the language of the survey. */
  ownLanguage: string | undefined
}
