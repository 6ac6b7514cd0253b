import { isProblem } from '../api/problem.ts'
import { stateTexts } from '../texts/en/state-texts.ts'
import { showToast, type ToastAction } from '../ui/toasts.ts'

/** The words of an error code: those of the area, otherwise those of the application. */
export function describeProblem(error: unknown, textOf?: (code: string) => string | undefined): string {
  const code = isProblem(error) ? error.code : 'unknown'
  return textOf?.(code) ?? stateTexts.problem(code)
}

/** Reports an action that failed and that cannot be repeated from here, in the words of its error code. */
export const showProblem = (error: unknown, text?: string): void => showFailure(error, text, [])

/** Reports an action that failed, and offers to repeat it. */
export const showRepeatableProblem = (error: unknown, repeat: () => void, text?: string): void =>
  showFailure(error, text, [{ label: stateTexts.retry, run: repeat }])

function showFailure(error: unknown, text = describeProblem(error), actions: readonly ToastAction[]): void {
  const requestId = isProblem(error) ? error.requestId : undefined
  const copyId = { label: stateTexts.copyRequestId, run: () => void navigator.clipboard.writeText(requestId ?? '') }
  showToast(text, { tone: 'failed', actions: requestId ? [...actions, copyId] : actions })
}
