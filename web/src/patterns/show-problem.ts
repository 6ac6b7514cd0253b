import { isProblem } from '../api/problem.ts'
import { stateTexts } from '../texts/en/state-texts.ts'
import { showToast } from '../ui/toast.tsx'

/** Reports an action that failed, in the words of its error code. */
export const showProblem = (error: unknown): void =>
  showToast(stateTexts.problem(isProblem(error) ? error.code : 'unknown'), { tone: 'failed' })
