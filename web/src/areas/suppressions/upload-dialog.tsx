import { useId, useState } from 'react'
import { useIntent } from '../../api/intent.ts'
import { startTracking } from '../../api/tasks.ts'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { FormProblem } from '../../patterns/form-message.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { suppressionTexts as texts } from '../../texts/en/suppression-texts.ts'
import { TextField } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { countRows } from './addresses.ts'
import { describeAdded, refreshSuppressions, uploadFile } from './suppression-api.ts'
import styles from './suppressions.module.css'

const maxBytes = 5_000_000

type ChosenFile = { name: string; csv: string; rows: number }

/** Suppresses the addresses of a file, by a task that the shell shows. */
export function UploadDialog({ close }: { close: () => void }) {
  const { locale } = useMe()
  const id = useId()
  const intent = useIntent()
  const [file, setFile] = useState<ChosenFile>()
  const [isTooLarge, setTooLarge] = useState(false)
  const choose = async (chosen: File | undefined) => {
    setTooLarge((chosen?.size ?? 0) > maxBytes)
    setFile(undefined)
    if (!chosen || chosen.size > maxBytes) return
    const csv = await chosen.text()
    setFile({ name: chosen.name, csv, rows: countRows(csv) })
  }
  const form = useForm(async (data) => {
    const { name, csv } = file!
    const source = String(data.get('source')).trim() || name
    const values = { csv, source: source.slice(0, 200) }
    const { task_id } = await uploadFile(values, intent.keyOf(values))
    intent.end()
    close()
    void report(task_id, name, locale)
  })
  const isReady = file !== undefined && file.rows > 0
  return (
    <FormDialog
      title={texts.uploadTitle}
      submit={isReady ? texts.uploadSubmit(file.rows, formatNumber(file.rows, locale)) : texts.uploadNone}
      form={isReady ? form : { ...form, isPending: true }}
      close={close}
    >
      <p>{texts.uploadText}</p>
      <div>
        <label htmlFor={id} className="visually-hidden">
          {texts.file}
        </label>
        <input
          id={id}
          type="file"
          accept=".csv,text/csv,text/plain"
          className={styles.file}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
      </div>
      {file && <p role="status">{texts.chosenRows(file.rows, formatNumber(file.rows, locale))}</p>}
      {isTooLarge && <FormProblem>{texts.tooLarge}</FormProblem>}
      <TextField label={texts.source} name="source" maxLength={200} hint={texts.sourceHint} />
    </FormDialog>
  )
}

async function report(taskId: string, name: string, locale: string): Promise<void> {
  const { state, result, error } = await startTracking(taskId, texts.uploading(name))
  const { added = 0, unchanged = 0, invalid = 0 } = (result ?? {}) as Partial<Record<string, number>>
  if (state === 'succeeded') showToast(describeAdded({ added, unchanged, invalid }, locale))
  else showToast(error?.message ?? texts.uploadFailed, { tone: 'failed' })
  await refreshSuppressions()
}
