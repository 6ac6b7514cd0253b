import { Link, useLocation } from '@tanstack/react-router'
import { ChevronRight, Ellipsis } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import type { Pin } from '../../patterns/preferences/parse-pin.ts'
import { searchOfList } from '../../session/list-places.ts'
import { shellTexts } from '../../texts/en/shell-texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import type { Area } from './areas.ts'
import styles from './navigation.module.css'
import type { ShownGroup } from './navigation-order.ts'
import { changePins, type ShownPin, toggleGroup } from './use-navigation.ts'

const PinMenu = lazyPart(() => import('./pin-menu.tsx'), 'PinMenu')

/** A menu at the link, opened by the right button, a long touch, or the key of the context menu. */
function usePinMenu(pin: Pin) {
  const anchor = useRef<HTMLAnchorElement>(null)
  const [isOpen, setOpen] = useState(false)
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault()
    setOpen(true)
  }
  return {
    props: { ref: anchor, onContextMenu },
    menu: isOpen && <PinMenu pin={pin} anchor={anchor} close={() => setOpen(false)} />,
  }
}

export function AreaLink({ area: { path, label, icon: Icon, key }, count = 0 }: { area: Area; count?: number }) {
  const { pathname } = useLocation()
  const { props, menu } = usePinMenu({ path, label })
  return (
    <>
      <Link
        {...props}
        to={path}
        search={searchOfList(path, pathname)}
        className={styles.link}
        activeOptions={{ exact: path === '/', includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
        title={key ? `${label} (${`g ${key}`.toUpperCase()})` : label}
      >
        <Icon size={16} />
        <span>{label}</span>
        {count > 0 && (
          <span className={styles.count}>
            {count}
            <span className="visually-hidden"> {shellTexts.unread}</span>
          </span>
        )}
      </Link>
      {menu}
    </>
  )
}

export function PinLink({ pin }: { pin: ShownPin }) {
  const { path, to, search, label, icon: Icon } = pin
  const { props, menu } = usePinMenu(pin)
  const move = ({ key, altKey }: KeyboardEvent) => {
    const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
    if (!by || !altKey) return
    // An element that is moved in the page loses the focus.
    void changePins(({ moveShownPin }) => moveShownPin(path, by)).then(() => props.ref.current?.focus())
  }
  return (
    <>
      <Link
        {...props}
        to={to}
        search={search}
        className={styles.link}
        activeOptions={{ exact: true }}
        activeProps={{ 'aria-current': 'page' }}
        title={label}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onKeyDown={move}
      >
        <Icon size={16} />
        <span>{label}</span>
      </Link>
      {menu}
    </>
  )
}

const listLabels = (entries: readonly Area[]): string => entries.map(({ label }) => label).join(', ')

/** A heading that closes its group if the focus opens it, and otherwise a row that opens it. */
export function NavigationGroup({ group, entries, isOpen, isInFocus }: ShownGroup<Area>) {
  const name = shellTexts.groups[group]
  const handleKey = ({ key }: KeyboardEvent) => {
    if (key === (isOpen ? 'ArrowLeft' : 'ArrowRight')) void toggleGroup(group)
  }
  return (
    <>
      <h2 className={isInFocus ? '' : styles.other} data-closed={isOpen ? undefined : true}>
        <button
          type="button"
          aria-expanded={isOpen}
          title={isOpen ? name : listLabels(entries)}
          onClick={() => void toggleGroup(group)}
          onKeyDown={handleKey}
        >
          <span>{name}</span>
          <ChevronRight size={14} />
        </button>
      </h2>
      {isOpen && entries.map((area) => <AreaLink key={area.path} area={area} />)}
    </>
  )
}

const GroupsPopup = lazyPart(() => import('./groups-popup.tsx'), 'GroupsPopup')

/** The closed groups of a narrow navigation. */
export const MoreGroups = ({ groups }: { groups: readonly ShownGroup<Area>[] }) =>
  groups.length > 0 && (
    <MenuButton
      label={shellTexts.moreGroups}
      icon={<Ellipsis size={16} />}
      className={styles.more}
      align="start"
      renderPopup={(popup) => <GroupsPopup {...popup} groups={groups} />}
    />
  )
