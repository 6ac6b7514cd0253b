import { ChevronDown, ChevronUp, Link2, Maximize2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/menu-model.ts'
import { showToast } from '../../ui/toast.tsx'
import styles from './record-panel.module.css'

type RecordPanelProps = {
  label: string
  back?: ReactNode
  /** Such as "1 of 128". */
  position?: string
  path: string
  goTo?: { previous?: () => void; next?: () => void }
  expand?: () => void
  menu?: readonly MenuItem[]
  close?: () => void
  children: ReactNode
}

/** The frame of one record, beside its list or as a page of its own. */
export function RecordPanel({ label, back, position, path, goTo, expand, menu, close, children }: RecordPanelProps) {
  const copyLink = async () => {
    await navigator.clipboard.writeText(new URL(path, location.origin).href)
    showToast(recordTexts.linkCopied)
  }
  return (
    <section className={styles.panel} aria-label={label}>
      <div className={styles.top}>
        {back}
        {position && <span className={`number ${styles.position}`}>{position}</span>}
        {goTo && (
          <>
            <IconButton
              label={recordTexts.previous}
              icon={<ChevronUp size={16} />}
              size="small"
              disabled={!goTo.previous}
              onClick={goTo.previous}
            />
            <IconButton
              label={recordTexts.next}
              icon={<ChevronDown size={16} />}
              size="small"
              disabled={!goTo.next}
              onClick={goTo.next}
            />
          </>
        )}
        <span className={styles.space} />
        <IconButton
          label={recordTexts.copyLink}
          icon={<Link2 size={16} />}
          size="small"
          onClick={() => void copyLink()}
        />
        {expand && (
          <IconButton label={recordTexts.expand} icon={<Maximize2 size={15} />} size="small" onClick={expand} />
        )}
        {menu && menu.length > 0 && (
          <MenuButton
            label={recordTexts.more}
            icon={<span aria-hidden="true">···</span>}
            variant="quiet"
            size="small"
            items={menu}
          />
        )}
        {close && <IconButton label={recordTexts.close} icon={<X size={16} />} size="small" onClick={close} />}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  )
}

export const PanelSection = ({ title, children }: { title?: string; children: ReactNode }) => (
  <div className={styles.section}>
    {title && <h3>{title}</h3>}
    {children}
  </div>
)
