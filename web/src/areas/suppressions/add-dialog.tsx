import { useState } from 'react'
import { useIntent } from '../../api/intent.ts'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { suppressionTexts as texts } from '../../texts/en/suppression-texts.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { readAddresses } from './addresses.ts'
import { addAddresses, describeAdded, refreshSuppressions } from './suppression-api.ts'

const maxAddresses = 1_000

export function AddDialog({ close }: { close: () => void }) {
  const { locale } = useMe()
  const intent = useIntent()
  const [text, setText] = useState('')
  const { addresses, wrong } = readAddresses(text)
  const count = addresses.length
  const message = wrong && text.endsWith('\n') ? texts.wrong(wrong) : count > maxAddresses ? texts.tooMany : undefined
  const form = useForm(async (data) => {
    const source = String(data.get('source')).trim() || undefined
    const values = { emails: addresses, source }
    const added = await addAddresses(values, intent.keyOf(values))
    intent.end()
    showToast(describeAdded(added, locale))
    close()
    await refreshSuppressions()
  })
  const isReady = count > 0 && !wrong && count <= maxAddresses
  return (
    <FormDialog
      title={texts.addTitle}
      submit={isReady ? texts.add(count, formatNumber(count, locale)) : texts.addNone}
      form={isReady ? form : { ...form, isPending: true }}
      close={close}
    >
      <p>{texts.addText}</p>
      <TextArea
        label={texts.emails}
        rows={6}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => wrong && setText((before) => (before.endsWith('\n') ? before : `${before}\n`))}
        hint={texts.emailsHint}
        error={message ?? form.errors.emails}
      />
      <TextField
        label={texts.source}
        name="source"
        maxLength={200}
        hint={texts.sourceHint}
        error={form.errors.source}
      />
    </FormDialog>
  )
}
