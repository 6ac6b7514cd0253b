import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { ChoiceMenu } from '../../../patterns/choice-menu/choice-menu.tsx'
import type { GroupedChoice } from '../../../patterns/choice-menu/filter-choices.ts'
import { importColumnTexts as texts } from '../../../texts/en/import-column-texts.ts'
import { letterOf, setField } from '../model/draft.ts'
import { findField } from '../model/fields.ts'
import type { Wizard } from '../wizard/wizard-model.ts'
import styles from './columns.module.css'

type ButtonProps = { wizard: Wizard; index: number; isWrong: boolean }

/** Chooses the field of a column. Fields of other columns are named with their column. */
export function FieldButton({ wizard: { draft, fields, change }, index, isWrong }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { column, field: name } = draft.columns[index]!
  const field = findField(fields, name)
  const label = field?.label ?? name ?? texts.leaveOut
  const usedBy = (one: string): string | undefined => {
    const at = draft.columns.findIndex((other, position) => other.field === one && position !== index)
    return at < 0 ? undefined : texts.usedBy(letterOf(at))
  }
  const choices: GroupedChoice[] = [
    { id: null, label: texts.leaveOut, group: '' },
    ...fields.map((one) => ({ id: one.name, label: one.label, group: one.group, hint: usedBy(one.name) })),
  ]
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`${styles.select} ${isWrong ? styles.wrong : ''} ${name === null ? styles.unset : ''}`}
        aria-label={texts.fieldOfColumn(column, label)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span>{label}</span>
        <ChevronDown size={13} aria-hidden="true" />
      </button>
      {isOpen && (
        <ChoiceMenu
          label={texts.fieldFor(column)}
          anchor={button}
          choices={choices}
          chosen={name}
          choose={(chosen) => change((before) => setField(before, column, chosen))}
          close={() => setOpen(false)}
        />
      )}
    </>
  )
}
