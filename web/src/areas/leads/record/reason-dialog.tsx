import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/field.tsx'
import type { DisqualifyReason } from '../lead-status.ts'

const reasons = Object.entries(leadTexts.reasons).map(([value, label]) => ({ value, label }))

/** Asks why leads are unqualified, which the API requires. */
export function ReasonDialog({ choose, close }: { choose: (reason: DisqualifyReason) => void; close: () => void }) {
  const formId = 'disqualify'
  return (
    <Dialog
      title={texts.reasonTitle}
      close={close}
      footer={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" form={formId} variant="primary">
            {texts.save}
          </Button>
        </>
      }
    >
      <form id={formId} action={(form) => choose(form.get('reason') as DisqualifyReason)}>
        <SelectField label={texts.reason} name="reason" options={reasons} autoFocus />
      </form>
    </Dialog>
  )
}
