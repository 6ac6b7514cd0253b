import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { isManagerOrAdmin, useMe } from '../../../session/me.ts'
import { contactConsentTexts as texts } from '../../../texts/en/contact-consent-texts.ts'
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useValues } from '../../../ui/use-values.ts'
import { type Consent, updateConsent } from './consent-api.ts'
import { listEmailChoices, listPhoneChoices, noChange, noConsentChange, toConsentChange } from './consent-values.ts'

type ConsentDialogProps = { id: string; consent: Consent; close: () => void }

const options = (states: readonly (keyof typeof texts.states)[]) => [
  { value: noChange, label: texts.noChange },
  ...states.map((value) => ({ value, label: texts.states[value] })),
]

const bases = Object.entries(texts.bases).map(([value, label]) => ({ value, label }))

/** Records what the person has said about email, calls and the use of the data. */
export function ConsentDialog({ id, consent, close }: ConsentDialogProps) {
  const me = useMe()
  const { values, bind } = useValues(noConsentChange)
  const change = toConsentChange(values)
  const form = useForm(async () => {
    await updateConsent(id, change!)
    showToast(texts.saved)
    close()
  })
  const { errors } = form
  return (
    <FormDialog
      title={texts.change}
      submit={texts.save}
      form={{ ...form, isPending: form.isPending || !change }}
      close={close}
    >
      <SelectField
        label={texts.channels.email}
        options={options(listEmailChoices(consent.email.status, isManagerOrAdmin(me)))}
        {...bind('email_status')}
        error={errors.email_status}
      />
      <SelectField
        label={texts.channels.phone}
        options={options(listPhoneChoices(consent.phone.status))}
        {...bind('call_status')}
        error={errors.call_status}
      />
      <SelectField
        label={texts.channels.processing}
        options={options(consent.processing_restricted ? ['unrestricted'] : ['restricted'])}
        {...bind('processing')}
        error={errors.processing_restricted}
      />
      <SelectField label={texts.basis} options={bases} {...bind('basis')} error={errors.basis} />
      <TextField
        label={texts.source}
        hint={texts.sourceHint}
        maxLength={200}
        {...bind('source')}
        error={errors.source}
      />
      <TextArea
        label={texts.evidence}
        hint={texts.evidenceHint}
        maxLength={2_000}
        {...bind('evidence')}
        error={errors.evidence}
      />
    </FormDialog>
  )
}
