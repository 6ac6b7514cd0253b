import { importOptionTexts as texts } from '../../../texts/en/import-option-texts.ts'
import { Checkbox, SelectField } from '../../../ui/field.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { describeProblem } from '../columns/describe-problem.ts'
import styles from '../imports.module.css'
import type { ImportOptions } from '../model/types.ts'
import own from './options.module.css'
import type { OptionsProps } from './options-props.ts'

const onMatch: readonly ImportOptions['on_match'][] = ['update_empty', 'update', 'skip', 'create']

export function MatchOptions({ wizard, options, set, errorOf }: OptionsProps) {
  const { type, fields, problems, draft } = wizard
  const unique = fields.filter(({ isCustom, isUnique }) => isCustom && isUnique)
  const problem = problems.find(({ kind }) => kind === 'unmapped_match' || kind === 'unmatched')
  const isUpdate = options.on_match === 'update' || options.on_match === 'update_empty'
  return (
    <section className={styles.card}>
      <h2>{texts.matchTitle[type]}</h2>
      <div className={own.field}>
        <SelectField
          label={texts.matchBy}
          value={options.match_by}
          error={errorOf('match_by') ?? (problem?.isBlocking ? describeProblem(problem, draft).text : undefined)}
          hint={problem && describeProblem(problem, draft).text}
          options={[
            { value: 'email', label: texts.matches.email },
            { value: 'name_company', label: texts.matches.name_company[type] },
            ...unique.map(({ name, label }) => ({ value: name.replace('custom.', 'custom_field:'), label })),
            { value: 'none', label: texts.matches.none },
          ]}
          onChange={({ target }) => set({ match_by: target.value })}
        />
      </div>
      {options.match_by !== 'none' && (
        <RadioGroup
          label={texts.onMatch}
          name="on_match"
          value={options.on_match}
          options={onMatch.map((value) => ({ value, ...texts.onMatches[value] }))}
          onChange={(value) => set({ on_match: value, ...(value !== 'update' && { blank_clears: false }) })}
        />
      )}
      {options.match_by !== 'none' && options.on_match === 'update' && (
        <Checkbox
          label={texts.blankClears}
          checked={options.blank_clears}
          onChange={({ target }) => set({ blank_clears: target.checked })}
        />
      )}
      {options.match_by !== 'none' && isUpdate && (
        <div className={own.field}>
          <SelectField
            label={texts.multiSelect}
            value={options.multi_select}
            options={[
              { value: 'add', label: texts.multiSelects.add },
              { value: 'replace', label: texts.multiSelects.replace },
            ]}
            onChange={({ target }) => set({ multi_select: target.value as ImportOptions['multi_select'] })}
          />
        </div>
      )}
    </section>
  )
}
