export { type Answered, byRules, type Engine, type FallbackReason } from './answer.ts'
export { measureAnswers } from './measure-answers.ts'
export type { Model } from './model.ts'
export { type Models, openModels, type Question } from './models.ts'
