import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCommands } from '../../session/commands.ts'
import { wizardTexts } from '../../texts/en/wizard-texts.ts'
import { Button } from '../../ui/button.tsx'
import { RecordHead } from '../record-head.tsx'
import { useNarrow } from '../use-narrow.ts'
import { Stepper, type WizardStep } from './stepper.tsx'
import styles from './wizard.module.css'

/** The next step. With a reason it cannot be taken yet. */
export type NextStep = { label: string; run: () => void; blockedBy?: string; isPending?: boolean; isFinal?: boolean }

type FrameProps = {
  /** The list that the wizard belongs to, and returns to. */
  list: { to: string; label: string }
  title: string
  badge?: ReactNode
  steps: readonly WizardStep[]
  /** Facts about the whole, such as the number of rows. */
  facts?: ReactNode
  back?: { label: string; run: () => void }
  next?: NextStep
  children: ReactNode
}

/** A page of several steps. Every step that is done is a link, so that the user can go back to it. */
export function WizardFrame({ list, title, badge, steps, facts, back, next, children }: FrameProps) {
  const isNarrow = useNarrow()
  const isBlocked = next?.blockedBy !== undefined || next?.isPending === true
  useCommands([
    {
      id: 'wizard:next',
      label: next?.label ?? '',
      group: wizardTexts.group,
      keys: ['Mod+Enter'],
      isAvailable: next !== undefined && !isBlocked,
      run: () => next?.run(),
    },
    {
      id: 'wizard:back',
      label: back?.label ?? '',
      group: wizardTexts.group,
      isAvailable: back !== undefined,
      run: () => back?.run(),
    },
  ])
  return (
    <>
      <RecordHead list={{ ...list, search: {} }} name={title} badge={!(isNarrow && next?.isFinal) && badge}>
        {back && !isNarrow && (
          <Button icon={<ArrowLeft size={15} />} onClick={back.run}>
            {back.label}
          </Button>
        )}
        {next && (
          <Button
            variant="primary"
            className={isBlocked ? styles.blocked : ''}
            aria-disabled={isBlocked}
            title={next.blockedBy}
            keys={next.isFinal && !isNarrow ? 'Mod+Enter' : undefined}
            onClick={() => !isBlocked && next.run()}
          >
            {next.label}
            {!next.isFinal && <ArrowRight size={14} aria-hidden="true" />}
          </Button>
        )}
      </RecordHead>
      <div className={styles.bar}>
        <Stepper steps={steps} />
        {facts && <span className={styles.facts}>{facts}</span>}
      </div>
      {children}
    </>
  )
}
