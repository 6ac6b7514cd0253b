import { useNavigate } from '@tanstack/react-router'
import { isProblem } from '../../../api/problem.ts'
import { FileDrop } from '../../../patterns/file-drop/file-drop.tsx'
import { UploadProgress } from '../../../patterns/file-drop/upload-progress.tsx'
import { useUpload } from '../../../patterns/file-drop/use-upload.ts'
import { FormProblem } from '../../../patterns/form-message.tsx'
import { describeProblem } from '../../../patterns/show-problem.ts'
import { importTexts as texts } from '../../../texts/en/import-texts.ts'
import { stateTexts } from '../../../texts/en/state-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { storeImport, uploadPath } from '../import-api.ts'
import styles from '../imports.module.css'
import type { Draft } from '../model/draft.ts'
import type { RecordImport, RecordType } from '../model/types.ts'
import { keepChoices } from '../wizard/use-draft.ts'
import { keptFiles } from './kept-files.ts'

type UploadProps = {
  type: RecordType
  label: string
  hint: string
  /** The columns and options of the import before, which the new file takes over. */
  choices?: Pick<Draft, 'columns' | 'options'>
  fields?: Readonly<Record<string, string>>
  /** A file that is sent again, as long as the page has it. */
  known?: { file: File; label: string }
  isReplaced?: boolean
}

export function UploadArea({ type, label, hint, choices, fields, known, isReplaced = false }: UploadProps) {
  const navigate = useNavigate()
  const { upload, failure, start, cancel } = useUpload<RecordImport>({
    done: (created, file) => {
      keptFiles.set(created.id, file)
      storeImport(type, created)
      if (choices) keepChoices(choices, created)
      void navigate({
        to: '/imports/$type/$importId',
        params: { type, importId: created.id },
        search: { step: 'columns' },
        replace: isReplaced,
      })
    },
  })
  const send = (file: File) => void start(uploadPath(type), file, fields)
  if (upload) return <UploadProgress upload={upload} cancel={cancel} />
  return (
    <div className={styles.upload}>
      {known && <Button onClick={() => send(known.file)}>{known.label}</Button>}
      <FileDrop label={label} hint={hint} accept=".csv,.txt,.tsv,text/csv,text/plain" choose={send} />
      {failure && (
        <FormProblem>
          <b>{texts.uploadFailed}</b>
          <span>{describeUpload(failure.error)}</span>
          <Button size="small" onClick={failure.retry}>
            {stateTexts.retry}
          </Button>
        </FormProblem>
      )}
    </div>
  )
}

/** A file that is not valid names the row, which only the message has. */
function describeUpload(error: unknown): string {
  const [first] = isProblem(error) ? error.errors : []
  const row = /\brow (\d+)/i.exec(first?.message ?? '')?.[1]
  return describeProblem(error, (code) => texts.uploadProblem(first?.code ?? code, row ?? ''))
}
