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

export const FormConflict = ({ form, labels }: { form: RecordForm; labels: Readonly<Record<string, string>> }) => (
  <div className={styles.conflict}>
    <ConflictBar
      changes={form}
      labelOf={(field) => labels[field] ?? field}
      format={(_, value) => (value === null || value === '' ? recordTexts.empty : String(value))}
    />
  </div>
)
