import type { AskedQuestion, OwnedQuestion } from '../quizzes/question-spec.ts'
import { presentToLearner, shuffle, shuffleParts, toAskedQuestion } from '../quizzes/questions.rules.ts'
import type { LearnerQuestion } from '../quizzes/questions.schemas.ts'
import type { QuizSettings } from '../records/learning.schemas.ts'

/** Timed quizzes and those with drawn questions are answered in an attempt. */
export const requiresAttempt = ({ time_limit_seconds, draws }: QuizSettings): boolean =>
  time_limit_seconds !== null || draws.length > 0

type AttemptKey = { enrollment_id: string; module_id: string; number: number }

/** The same attempt always has the same order. */
export const seedOf = ({ enrollment_id, module_id, number }: AttemptKey): string =>
  `${enrollment_id}:${module_id}:${number}`

export function orderQuestions(
  questions: readonly OwnedQuestion[],
  { shuffle_questions }: QuizSettings,
  seed: string,
): AskedQuestion[] {
  const asked = questions.filter(({ is_active }) => is_active).map(toAskedQuestion)
  return shuffle_questions ? shuffle(asked, seed) : asked
}

/** Fixes the order of the options, so that a later change of the quiz does not change it. */
export const orderOptions = (
  questions: readonly AskedQuestion[],
  { shuffle_options }: Pick<QuizSettings, 'shuffle_options'>,
  seed: string,
): AskedQuestion[] =>
  questions.map(({ spec, ...question }) => ({
    ...question,
    spec: spec.options && shuffle_options ? { ...spec, options: shuffleParts(spec.options, seed, question.id) } : spec,
  }))

export const presentQuestions = (
  questions: readonly AskedQuestion[],
  { shuffle_options }: Pick<QuizSettings, 'shuffle_options'>,
  seed: string,
): LearnerQuestion[] =>
  questions.map((question) => presentToLearner(question, { seed, shufflesOptions: shuffle_options }))
