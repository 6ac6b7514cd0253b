import { useMutation } from '@tanstack/react-query'
import { ArchiveRestore } from 'lucide-react'
import { useEffect } from 'react'
import { isProblem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { showRepeatableProblem } from '../show-problem.ts'
import { ProblemState, State } from '../states.tsx'

export type GoneTexts = {
  part: string
  goneTitle: string
  goneText: string
  restore: string
  notRestorable: string
  mergedInto?: string
}

type GoneRecordProps = {
  texts: GoneTexts
  error: unknown
  retry: () => void
  /** Left out if the user must not restore it. */
  restore?: () => Promise<unknown>
  /** Shows the record that this one was merged into. */
  goTo?: (id: string) => void
}

/** A record that cannot be shown: merged into another one, deleted, or not loaded. */
export function GoneRecord({ texts, error, retry, restore, goTo }: GoneRecordProps) {
  const isMissing = isProblem(error) && error.status === 404
  const mergedInto = isMissing ? error.extra.merged_into_id : undefined
  useEffect(() => {
    if (typeof mergedInto !== 'string' || !goTo) return
    if (texts.mergedInto) showToast(texts.mergedInto)
    goTo(mergedInto)
  }, [mergedInto, goTo])
  if (mergedInto) return null
  if (!isMissing) return <ProblemState error={error} part={texts.part} retry={retry} />
  return <DeletedRecord texts={texts} restore={restore} />
}

function DeletedRecord({ texts, restore }: Pick<GoneRecordProps, 'texts' | 'restore'>) {
  const mutation = useMutation({
    mutationFn: () => restore!(),
    onError: (error) =>
      isProblem(error, 'not_found')
        ? showToast(texts.notRestorable, { tone: 'failed' })
        : showRepeatableProblem(error, () => mutation.mutate()),
  })
  return (
    <State
      icon={<ArchiveRestore size={20} />}
      hue="violet"
      title={texts.goneTitle}
      actions={
        restore && (
          <Button disabled={mutation.isPending} onClick={() => mutation.mutate()}>
            {texts.restore}
          </Button>
        )
      }
    >
      {texts.goneText}
    </State>
  )
}
