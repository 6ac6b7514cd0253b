import { X } from 'lucide-react'
import { listTexts } from '../../texts/en/list-texts.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { ErrorState } from '../error-state.tsx'
import styles from './record-panel.module.css'

/** Stands for a panel that could not be shown. It does without the frame of a record, whose file may be the missing one. */
export const renderFailedPanel = (error: unknown, { close }: { close?: () => void }) => (
  <section className={styles.panel} aria-label={stateTexts.errorTitle}>
    <div className={styles.top}>
      <span className={styles.space} />
      {close && <IconButton label={listTexts.close} icon={<X size={16} />} size="small" onClick={close} />}
    </div>
    <ErrorState error={error} />
  </section>
)
