import { importOptionTexts as texts } from '../../../texts/en/import-option-texts.ts'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import styles from '../imports.module.css'
import type { ImportOptions } from '../model/types.ts'
import type { OptionsProps } from './options-props.ts'

const bases: readonly ImportOptions['basis'][] = ['none', 'consent', 'legitimate_interest', 'contract']

/** The legal basis of contacting the persons. Only consent lets a column subscribe them. */
export const BasisOptions = ({ options, set }: OptionsProps) => (
  <section className={styles.card}>
    <h2>{texts.basisTitle}</h2>
    <RadioGroup
      label={texts.basisTitle}
      isLabelHidden
      name="basis"
      value={options.basis}
      options={bases.map((value) => ({ value, ...texts.bases[value] }))}
      onChange={(basis) => set({ basis })}
    />
    <p className={styles.note}>{texts.basisNote}</p>
  </section>
)
