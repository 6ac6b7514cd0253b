import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './form.module.css'
import type { Form } from './use-form.ts'

/** What is wrong with a form as a whole; messages of fields are shown at the fields. */
export const FormMessage = ({ form: { message } }: { form: Form }) => message && <FormProblem>{message}</FormProblem>

export const FormProblem = ({ children }: { children: ReactNode }) => (
  <div className={styles.problem} role="alert">
    <CircleAlert size={16} />
    <div>{children}</div>
  </div>
)
