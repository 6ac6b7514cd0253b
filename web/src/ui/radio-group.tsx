import styles from './radio-group.module.css'

export type RadioOption<T extends string> = { value: T; label: string; description?: string }

/** A choice of few options that all stay visible, with what they mean. */
export const RadioGroup = <T extends string>({
  label,
  isLabelHidden,
  name,
  options,
  defaultValue,
  value,
  onChange,
}: {
  label: string
  isLabelHidden?: boolean
  name: string
  options: readonly RadioOption<T>[]
  defaultValue?: T
  value?: T
  onChange?: (value: T) => void
}) => (
  <fieldset className={styles.group}>
    <legend className={isLabelHidden ? 'visually-hidden' : styles.legend}>{label}</legend>
    {options.map((option) => (
      <label key={option.value} className={styles.option}>
        <input
          type="radio"
          name={name}
          value={option.value}
          {...(onChange
            ? { checked: option.value === value, onChange: () => onChange(option.value) }
            : { defaultChecked: option.value === defaultValue })}
        />
        <span>
          <b>{option.label}</b>
          {option.description && <small>{option.description}</small>}
        </span>
      </label>
    ))}
  </fieldset>
)
