import { type ReactNode, useId } from 'react'
import { formTexts } from '../texts/en/form-texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './form.module.css'
import { FormMessage } from './form-message.tsx'
import type { Form } from './use-form.ts'

/** A dialog with one form. */
export function FormDialog({
  title,
  submit,
  variant = 'primary',
  form,
  close,
  width,
  children,
}: {
  title: string
  submit: string
  variant?: 'primary' | 'danger'
  form: Form
  close: () => void
  width?: 'normal' | 'wide'
  children: ReactNode
}) {
  const id = useId()
  return (
    <Dialog
      title={title}
      close={close}
      width={width}
      footer={
        <>
          <Button onClick={close}>{formTexts.cancel}</Button>
          <Button type="submit" form={id} variant={variant} disabled={form.isPending}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={form.onSubmit}>
        {children}
        <FormMessage form={form} />
      </form>
    </Dialog>
  )
}
