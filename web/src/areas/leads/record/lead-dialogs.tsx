import { useMe } from '../../../session/me.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { DisqualifyReason } from '../lead-status.ts'

const PersonPicker = lazyPart(() => import('../../../patterns/person-picker.tsx'), 'PersonPicker')
const ReasonDialog = lazyPart(() => import('./reason-dialog.tsx'), 'ReasonDialog')

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
  return dialog === 'assign' ? (
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
  )
}
