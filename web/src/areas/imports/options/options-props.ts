import type { ImportOptions } from '../model/types.ts'
import type { Wizard } from '../wizard/wizard-model.ts'

export type OptionsProps = {
  wizard: Wizard
  options: ImportOptions
  set: (changes: Partial<ImportOptions>) => void
  errorOf: (option: string) => string | undefined
}
