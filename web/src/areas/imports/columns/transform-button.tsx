import { ChevronDown } from 'lucide-react'
import { importColumnTexts as texts } from '../../../texts/en/import-column-texts.ts'
import { MenuButton } from '../../../ui/menu.tsx'
import { setTransform } from '../model/draft.ts'
import { type ImportField, transformsOf } from '../model/fields.ts'
import type { Wizard } from '../wizard/wizard-model.ts'
import styles from './columns.module.css'

type ButtonProps = { wizard: Wizard; index: number; field: ImportField }

export function TransformButton({ wizard: { draft, change }, index, field }: ButtonProps) {
  const transforms = transformsOf(field)
  const { column, transform } = draft.columns[index]!
  const current = transform ?? transforms[0]
  if (!current || transforms.length === 0) return '–'
  const nameOf = (one: typeof current) => (field.kind === 'list' ? texts.listTransforms : texts.transforms)[one]
  return (
    <MenuButton
      label={texts.changeOfColumn(column, nameOf(current))}
      variant="plain"
      align="start"
      className={`${styles.select} ${current === transforms[0] ? styles.unset : ''}`}
      items={transforms.map((one) => ({
        kind: 'choice',
        label: nameOf(one),
        isChosen: one === current,
        run: () => change((before) => setTransform(before, column, one)),
      }))}
    >
      <span>{nameOf(current)}</span>
      <ChevronDown size={13} aria-hidden="true" />
    </MenuButton>
  )
}
