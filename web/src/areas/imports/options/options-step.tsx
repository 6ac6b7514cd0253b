import styles from '../imports.module.css'
import { setOptions } from '../model/draft.ts'
import type { Wizard } from '../wizard/wizard-model.ts'
import { BasisOptions } from './basis-options.tsx'
import { MatchOptions } from './match-options.tsx'
import { NewRecordOptions } from './new-record-options.tsx'
import type { OptionsProps } from './options-props.ts'

export function OptionsStep({ wizard }: { wizard: Wizard }) {
  const { draft, change, messages } = wizard
  const props: OptionsProps = {
    wizard,
    options: draft.options,
    set: (changes) => change((before) => setOptions(before, changes)),
    errorOf: (option) => messages[`options.${option}`],
  }
  return (
    <div className={styles.page}>
      <div className={styles.medium}>
        <MatchOptions {...props} />
        <NewRecordOptions {...props} />
        <BasisOptions {...props} />
      </div>
    </div>
  )
}
