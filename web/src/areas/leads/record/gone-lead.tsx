import { useMutation } from '@tanstack/react-query'
import { ArchiveRestore } from 'lucide-react'
import { useEffect } from 'react'
import { isProblem } from '../../../api/problem.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { ProblemState, State } from '../../../patterns/states.tsx'
import { can, useMe } from '../../../session/me.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { restoreLead } from './delete-lead.ts'

type GoneLeadProps = { id: string; error: unknown; goTo: (id: string) => void; retry: () => void }

/** A lead that cannot be shown: merged into another one, deleted, or not loaded. */
export function GoneLead({ id, error, goTo, retry }: GoneLeadProps) {
  const isMissing = isProblem(error) && error.status === 404
  const mergedInto = isMissing ? error.extra.merged_into_id : undefined
  useEffect(() => {
    if (typeof mergedInto !== 'string') return
    showToast(texts.mergedInto)
    goTo(mergedInto)
  }, [mergedInto, goTo])
  if (mergedInto) return null
  return isMissing ? <DeletedLead id={id} /> : <ProblemState error={error} part={texts.part} retry={retry} />
}

function DeletedLead({ id }: { id: string }) {
  const me = useMe()
  const restore = useMutation({
    mutationFn: () => restoreLead(id),
    onError: (error) =>
      isProblem(error, 'not_found')
        ? showToast(texts.notRestorable, { tone: 'failed' })
        : showRepeatableProblem(error, () => restore.mutate()),
  })
  return (
    <State
      icon={<ArchiveRestore size={20} />}
      hue="violet"
      title={texts.goneTitle}
      actions={
        can(me, 'leads.write') && (
          <Button disabled={restore.isPending} onClick={() => restore.mutate()}>
            {texts.restore}
          </Button>
        )
      }
    >
      {texts.goneText}
    </State>
  )
}
