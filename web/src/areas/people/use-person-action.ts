import { useMutation } from '@tanstack/react-query'
import { isProblem } from '../../api/problem.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { refreshPeople } from './people-queries.ts'

/** An action of one button: it reports its result, and the people are read again whatever the result is. */
export const usePersonAction = <T>(run: () => Promise<T>, describeResult: (result: T) => string) =>
  useMutation({
    mutationFn: run,
    onSuccess: (result) => showToast(describeResult(result)),
    onError: (error) => showToast(describeFailure(error), { tone: 'failed' }),
    onSettled: refreshPeople,
  })

function describeFailure(error: unknown): string {
  const code = isProblem(error) ? error.code : 'unknown'
  return peopleTexts.actionFailed(peopleTexts.problem(code) ?? stateTexts.problem(code))
}
