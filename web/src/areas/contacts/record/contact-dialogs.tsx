import { useState } from 'react'
import { useMe } from '../../../session/me.ts'
import { contactListTexts } from '../../../texts/en/contact-list-texts.ts'
import { contactRecordTexts as texts } from '../../../texts/en/contact-record-texts.ts'
import { formTexts } from '../../../texts/en/form-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { ContactStage } from '../contact-stages.ts'
import type { NamedRecord } from './contact-fields.ts'

const PersonPicker = lazyPart(() => import('../../../patterns/person-picker.tsx'), 'PersonPicker')
const AccountPicker = lazyPart(() => import('../../../patterns/accounts/account-picker.tsx'), 'AccountPicker')

export type ContactDialog = { kind: 'assign' } | { kind: 'account' } | { kind: 'stage'; stage: ContactStage }

type ContactDialogsProps = {
  dialog: ContactDialog | undefined
  assignTo: (owner: NamedRecord) => void
  setAccount?: (account: NamedRecord) => void
  setStage?: (stage: ContactStage, reason: string) => void
  close: () => void
}

/** The questions for a new owner and account, and before a contact goes back to an earlier stage. */
export function ContactDialogs({ dialog, assignTo, setAccount, setStage, close }: ContactDialogsProps) {
  const me = useMe()
  const thenClose =
    <Value,>(run: (value: Value) => void) =>
    (value: Value) => {
      close()
      run(value)
    }
  if (dialog?.kind === 'assign')
    return (
      <PersonPicker
        title={texts.assignTitle}
        first={[
          { id: me.id, name: me.name },
          { id: null, name: texts.noOwner },
        ]}
        choose={thenClose(assignTo)}
        close={close}
      />
    )
  if (dialog?.kind === 'account' && setAccount)
    return (
      <AccountPicker
        title={texts.accountTitle}
        first={[{ id: null, name: contactListTexts.noAccount }]}
        choose={thenClose(setAccount)}
        close={close}
      />
    )
  if (dialog?.kind === 'stage' && setStage)
    return (
      <ReasonDialog
        stage={dialog.stage}
        save={thenClose((reason: string) => setStage(dialog.stage, reason))}
        close={close}
      />
    )
  return null
}

type ReasonProps = { stage: ContactStage; save: (reason: string) => void; close: () => void }

const formId = 'stage-reason'

function ReasonDialog({ stage, save, close }: ReasonProps) {
  const [reason, setReason] = useState('')
  return (
    <Dialog
      title={texts.reasonTitle(contactListTexts.stages[stage])}
      close={close}
      footer={
        <>
          <Button onClick={close}>{formTexts.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={reason.trim() === ''}>
            {texts.setStage}
          </Button>
        </>
      }
    >
      <form id={formId} action={() => save(reason.trim())}>
        <TextField
          label={texts.reason}
          maxLength={200}
          required
          autoFocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
