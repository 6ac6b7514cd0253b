import { useState } from 'react'
import { deleteSuppression } from '../../api/access.gen.ts'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { may, useMe } from '../../session/me.ts'
import { suppressionTexts as texts } from '../../texts/en/suppression-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { refreshSuppressions, removeSuppression } from './suppression-api.ts'
import type { Suppression } from './suppression-list.ts'
import styles from './suppressions.module.css'

type DialogProps = { suppression: Suppression; close: () => void }

/** Only addresses that the workspace listed or that bounced can be removed; the word of a person stays. */
const isRemovable = ({ channel, reason, subject }: Suppression): boolean =>
  subject !== null && channel === 'email' && (reason === 'listed' || reason === 'bounced')

export function SuppressionDialog({ suppression, close }: DialogProps) {
  const me = useMe()
  const [isRemoving, setRemoving] = useState(false)
  const { subject, channel, reason, source, at } = suppression
  if (isRemoving) return <RemoveDialog suppression={suppression} close={close} />
  const mayRemove = may(me, deleteSuppression) && isRemovable(suppression)
  return (
    <Dialog
      title={subject ?? texts.unknown}
      close={close}
      isForReading
      footer={
        <>
          <Button onClick={close}>{texts.close}</Button>
          {mayRemove && (
            <Button variant="danger" onClick={() => setRemoving(true)}>
              {texts.remove}
            </Button>
          )}
        </>
      }
    >
      <dl className={styles.facts}>
        <dt>{texts.columns.channel}</dt>
        <dd>{texts.channels[channel]}</dd>
        <dt>{texts.columns.reason}</dt>
        <dd>{texts.reasons[reason]}</dd>
        <dt>{texts.columns.source}</dt>
        <dd>{source}</dd>
        <dt>{texts.columns.at}</dt>
        <dd>{formatDateTime(at, me.locale)}</dd>
      </dl>
      <p>{isRemovable(suppression) ? texts.removable : texts.notRemovable}</p>
    </Dialog>
  )
}

function RemoveDialog({ suppression: { id, subject }, close }: DialogProps) {
  const address = subject ?? texts.unknown
  const form = useForm(async () => {
    await removeSuppression(id)
    showToast(texts.removed(address))
    close()
    await refreshSuppressions()
  }, texts.problem)
  return (
    <FormDialog title={texts.removeTitle(address)} submit={texts.remove} variant="danger" form={form} close={close}>
      <p>{texts.removeText}</p>
    </FormDialog>
  )
}
