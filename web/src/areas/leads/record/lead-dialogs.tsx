import { lazy, Suspense } from 'react'
import { useMe } from '../../../app/me.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import type { DisqualifyReason } from '../lead-status.ts'

const PersonPicker = lazy(() =>
  import('../../../patterns/person-picker.tsx').then((module) => ({ default: module.PersonPicker })),
)
const ReasonDialog = lazy(() => import('./reason-dialog.tsx').then((module) => ({ default: module.ReasonDialog })))

export type LeadDialog = 'assign' | 'reason'

type LeadDialogsProps = {
  dialog: LeadDialog | undefined
  title?: string
  assignTo: (owner: { id: string | null; name: string }) => void
  disqualify: (reason: DisqualifyReason) => void
  close: () => void
}

/** The questions before an assignment and before leads become unqualified. */
export function LeadDialogs({ dialog, title = texts.assignTitle, assignTo, disqualify, close }: LeadDialogsProps) {
  const me = useMe()
  if (!dialog) return null
  return (
    <Suspense>
      {dialog === 'assign' ? (
        <PersonPicker
          title={title}
          first={[
            { id: me.id, name: me.name },
            { id: null, name: leadTexts.noOwner },
          ]}
          choose={(person) => {
            close()
            assignTo(person)
          }}
          close={close}
        />
      ) : (
        <ReasonDialog
          choose={(reason) => {
            close()
            disqualify(reason)
          }}
          close={close}
        />
      )}
    </Suspense>
  )
}
