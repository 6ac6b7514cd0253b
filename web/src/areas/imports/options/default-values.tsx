import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { ChoiceMenu } from '../../../patterns/choice-menu/choice-menu.tsx'
import { importOptionTexts as texts } from '../../../texts/en/import-option-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { findField, type ImportField } from '../model/fields.ts'
import own from './options.module.css'
import type { OptionsProps } from './options-props.ts'

/** Values of new records for fields without a column or with a blank cell. */
export function DefaultValues({ wizard: { fields }, options, set, errorOf }: OptionsProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { default_values: values } = options
  const change = (name: string, text: string) => set({ default_values: { ...values, [name]: text } })
  const remove = (name: string) => {
    const { [name]: _, ...others } = values
    set({ default_values: others })
  }
  return (
    <div className={own.option}>
      <span className={own.label}>{texts.defaults}</span>
      {Object.entries(values).map(([name, text]) => {
        const field = findField(fields, name)
        return (
          <div key={name} className={own.value}>
            <ValueField
              field={field}
              label={field?.label ?? name}
              text={text}
              error={errorOf(`default_values.${name}`)}
              change={(next) => change(name, next)}
            />
            <IconButton
              label={texts.removeDefault(field?.label ?? name)}
              icon={<X size={15} />}
              onClick={() => remove(name)}
            />
          </div>
        )
      })}
      <div>
        <Button
          ref={button}
          size="small"
          icon={<Plus size={14} />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.addDefault}
        </Button>
      </div>
      <small>{texts.defaultsHint}</small>
      {isOpen && (
        <ChoiceMenu
          label={texts.addDefault}
          anchor={button}
          choices={fields
            .filter(({ name }) => !(name in values))
            .map(({ name, label, group }) => ({ id: name, label, group }))}
          chosen={null}
          choose={(name) => name && change(name, '')}
          close={() => setOpen(false)}
        />
      )}
    </div>
  )
}

type ValueProps = {
  field: ImportField | undefined
  label: string
  text: string
  error: string | undefined
  change: (text: string) => void
}

function ValueField({ field, label, text, error, change }: ValueProps) {
  if (field?.kind !== 'choice' || !field.choices)
    return (
      <TextField
        label={label}
        value={text}
        error={error}
        maxLength={1_000}
        onChange={({ target }) => change(target.value)}
      />
    )
  const choices = field.choices.map(({ key, label: name }) => ({ value: key, label: name }))
  return (
    <SelectField
      label={label}
      value={text}
      error={error}
      options={[{ value: '', label: texts.noValue }, ...choices]}
      onChange={({ target }) => change(target.value)}
    />
  )
}
