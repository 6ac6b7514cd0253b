import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { withLabel } from '../api/field-messages.ts'
import styles from './field.module.css'

type FieldProps = { label: string; error?: string; hint?: string; isLabelHidden?: boolean }

/** Connects a label, a hint and an error message with one control. */
function Field({
  label,
  error,
  hint,
  isLabelHidden,
  render,
}: FieldProps & {
  render: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}) {
  const id = useId()
  const note = error ? withLabel(error, label) : hint
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {render({ id, ...(note && { 'aria-describedby': `${id}-note` }), ...(error && { 'aria-invalid': true }) })}
      {note && (
        <p id={`${id}-note`} className={error ? styles.error : styles.hint}>
          {note}
        </p>
      )}
    </div>
  )
}

export const TextField = ({
  label,
  error,
  hint,
  isLabelHidden,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) => (
  <Field
    {...{ label, error, hint, isLabelHidden }}
    render={(control) => <input className={styles.control} autoComplete="off" {...input} {...control} />}
  />
)

export const TextArea = ({
  label,
  error,
  hint,
  isLabelHidden,
  ...input
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <Field
    {...{ label, error, hint, isLabelHidden }}
    render={(control) => <textarea className={`${styles.control} ${styles.area}`} rows={3} {...input} {...control} />}
  />
)

export type Option = { value: string; label: string }

export const SelectField = ({
  label,
  error,
  hint,
  isLabelHidden,
  options,
  ...select
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement> & { options: readonly Option[] }) => (
  <Field
    {...{ label, error, hint, isLabelHidden }}
    render={(control) => (
      <select className={styles.control} {...select} {...control}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  />
)

export const Checkbox = ({ label, ...input }: { label: string } & InputHTMLAttributes<HTMLInputElement>) => (
  <label className={styles.check}>
    <input type="checkbox" {...input} />
    <span>{label}</span>
  </label>
)
