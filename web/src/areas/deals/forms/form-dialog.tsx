import { type FormEvent, type ReactNode, useId } from 'react'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import styles from './form-dialog.module.css'
import { type FormErrors, formMessage } from './use-form.ts'

type FormDialogProps = {
  title: string
  submitText: string
  form: { errors: FormErrors; onSubmit: (event: FormEvent<HTMLFormElement>) => void; isPending: boolean }
  close: () => void
  children: ReactNode
}

/** A dialog with one form. Escape and Cancel leave everything as it was. */
export function FormDialog({ title, submitText, form, close, children }: FormDialogProps) {
  const id = useId()
  return (
    <Dialog
      title={title}
      close={close}
      footer={
        <>
          <Button variant="quiet" onClick={close}>
            {dealTexts.cancel}
          </Button>
          <Button type="submit" form={id} variant="primary" disabled={form.isPending}>
            {submitText}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={form.onSubmit} noValidate>
        {form.errors[formMessage] && (
          <p className={styles.message} role="alert">
            {form.errors[formMessage]}
          </p>
        )}
        {children}
      </form>
    </Dialog>
  )
}

/** Fields side by side, such as amount and currency. */
export const FieldRow = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>
