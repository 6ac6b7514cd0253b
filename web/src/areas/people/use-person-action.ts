import { useMutation } from '@tanstack/react-query'
import { describeProblem, showRepeatableProblem } from '../../patterns/show-problem.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { refreshPeople } from './people-queries.ts'

/** An action of one button: it reports its result, and the people are read again whatever the result is. */
export function usePersonAction<T>(run: () => Promise<T>, describeResult: (result: T) => string) {
  const action = useMutation({
    mutationFn: run,
    onSuccess: (result) => showToast(describeResult(result)),
    onError: (error) => {
      const text = peopleTexts.actionFailed(describeProblem(error, peopleTexts.problem))
      showRepeatableProblem(error, () => action.mutate(), text)
    },
    onSettled: refreshPeople,
  })
  return action
}
