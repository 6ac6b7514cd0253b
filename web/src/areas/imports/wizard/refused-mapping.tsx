import { withWords } from '../../../api/field-messages.ts'
import { FormProblem } from '../../../patterns/form-message.tsx'
import { importTexts as texts } from '../../../texts/en/import-texts.ts'
import { Button } from '../../../ui/button.tsx'
import styles from '../imports.module.css'
import type { Wizard } from './wizard-model.ts'

export function RefusedMapping({ wizard: { messages, step, go } }: { wizard: Wizard }) {
  const refused = Object.entries(messages)
  if (refused.length === 0) return null
  const isAboutColumns = refused.some(([path]) => path.startsWith('columns'))
  return (
    <div className={styles.refused}>
      <FormProblem>
        <b>{texts.notSaved}</b>
        {refused.map(([path, message]) => (
          <span key={path}>{withWords(message)}</span>
        ))}
        {isAboutColumns && step !== 'columns' && (
          <Button size="small" onClick={() => go('columns')}>
            {texts.toColumns}
          </Button>
        )}
      </FormProblem>
    </div>
  )
}
