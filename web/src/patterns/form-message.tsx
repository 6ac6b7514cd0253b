import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { recordTexts } from '../texts/en/record-texts.ts'
import styles from './form.module.css'
import { ConflictBar } from './record/conflict-bar.tsx'
import type { Form } from './use-form.ts'
import type { RecordForm } from './use-record-form.ts'

/** An error of the form as a whole; messages of fields are shown at the fields. */
export const FormMessage = ({ form: { message } }: { form: Form }) => message && <FormProblem>{message}</FormProblem>

export const FormProblem = ({ children }: { children: ReactNode }) => (
  <div className={styles.problem} role="alert">
    <CircleAlert size={16} />
    <div>{children}</div>
  </div>
)

type FormConflictProps = {
  form: RecordForm
  labels: Readonly<Record<string, string>>
  /** The text of a value; undefined if it is empty. The value itself if left out. */
  format?: (field: string, value: unknown) => string | undefined
}

const toPlainText = (_: string, value: unknown): string => (value === null ? '' : String(value))

export const FormConflict = ({ form, labels, format = toPlainText }: FormConflictProps) => (
  <div className={styles.conflict}>
    <ConflictBar
      changes={form}
      labelOf={(field) => labels[field] ?? field}
      format={(field, value) => format(field, value) || recordTexts.empty}
    />
  </div>
)
