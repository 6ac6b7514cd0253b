import { TriangleAlert } from 'lucide-react'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './steps.module.css'

/** Asks before a change is saved that people get who are in the cadence. */
export const HeldChanges = ({ text, undo, save }: { text: string; undo: () => void; save: () => void }) => (
  <div className={styles.question} role="alert">
    <p>
      <TriangleAlert size={16} />
      {text}
    </p>
    <div>
      <Button size="small" onClick={undo}>
        {texts.undo}
      </Button>
      <Button size="small" variant="primary" keys="Mod+Enter" onClick={save}>
        {texts.save}
      </Button>
    </div>
  </div>
)
