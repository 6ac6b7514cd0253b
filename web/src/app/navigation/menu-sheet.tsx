import { Link, useLocation } from '@tanstack/react-router'
import { ChevronDown, Pin as PinIcon, X } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { searchOfList } from '../../session/list-places.ts'
import { useMe } from '../../session/me.ts'
import { shellTexts } from '../../texts/en/shell-texts.ts'
import { uiTexts } from '../../texts/en/ui-texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { useModal } from '../../ui/use-modal.ts'
import type { Area } from './areas.ts'
import styles from './menu-sheet.module.css'
import { toggleGroup, useNavigation } from './use-navigation.ts'
import { WorkspaceMark } from './workspace-mark.tsx'

/** All pages on a phone: those of the open groups as cells, the other groups as rows that open in place. */
export function MenuSheet({ close }: { close: () => void }) {
  const sheet = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const me = useMe()
  const { pathname } = useLocation()
  const { start, pins, groups } = useNavigation()
  useModal(sheet, close, 'button')
  const openInFocus = groups.filter(({ isInFocus, isOpen }) => isInFocus && isOpen)
  const others = groups.filter((group) => !openInFocus.includes(group))
  const cell = (area: Area) => (
    <Cell
      key={area.path}
      to={area.path}
      search={searchOfList(area.path, pathname)}
      icon={<area.icon size={20} />}
      label={area.label}
      close={close}
    >
      {area.path === '/inbox' && me.unread_notifications > 0 && (
        <span className={styles.count}>
          {me.unread_notifications}
          <span className="visually-hidden"> {shellTexts.unread}</span>
        </span>
      )}
    </Cell>
  )
  return (
    <dialog ref={sheet} className={styles.sheet} aria-labelledby={titleId} {...{ closedby: 'any' }}>
      <header>
        <WorkspaceMark />
        <h2 id={titleId}>{me.tenant.name}</h2>
        <IconButton label={uiTexts.close} icon={<X size={18} />} onClick={close} />
      </header>
      <div className={styles.content}>
        <div className={styles.cells}>
          {start.slice(1).map(cell)}
          {pins.map(({ path, to, search, label }) => (
            <Cell key={path} to={to} search={search} isExact icon={<PinIcon size={20} />} label={label} close={close} />
          ))}
        </div>
        {openInFocus.map(({ group, entries }) => (
          <section key={group} aria-label={shellTexts.groups[group]}>
            <h3>{shellTexts.groups[group]}</h3>
            <div className={styles.cells}>{entries.map(cell)}</div>
          </section>
        ))}
        {others.map(({ group, entries, isOpen }) => (
          <section key={group} className={styles.row} aria-label={shellTexts.groups[group]}>
            <button type="button" aria-expanded={isOpen} onClick={() => void toggleGroup(group)}>
              <span>
                <b>{shellTexts.groups[group]}</b>
                <small>{entries.map(({ label }) => label).join(', ')}</small>
              </span>
              <ChevronDown size={16} />
            </button>
            {isOpen && <div className={styles.cells}>{entries.map(cell)}</div>}
          </section>
        ))}
      </div>
    </dialog>
  )
}

type CellProps = {
  to: string
  search: object
  icon: ReactNode
  label: string
  close: () => void
  isExact?: boolean
  children?: ReactNode
}

const Cell = ({ icon, label, close, isExact = false, children, ...target }: CellProps) => (
  <Link
    {...target}
    onClick={close}
    activeOptions={{ exact: isExact, includeSearch: isExact }}
    activeProps={{ 'aria-current': 'page' }}
  >
    {icon}
    <span>{label}</span>
    {children}
  </Link>
)
