import { CSPProvider } from '@base-ui/react/csp-provider'
import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { RefObject } from 'react'
import { Kbd } from './kbd.tsx'
import styles from './menu.module.css'
import type { MenuItem } from './menu.tsx'

export const MenuPopup = ({
  label,
  anchor,
  align,
  items,
  close,
}: {
  label: string
  anchor: RefObject<HTMLElement | null>
  align: 'start' | 'end'
  items: readonly MenuItem[]
  close: () => void
}) => (
  <CSPProvider disableStyleElements>
    <Menu.Root open onOpenChange={(isOpen) => !isOpen && close()} modal={false}>
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} align={align} sideOffset={6} className={styles.positioner}>
          <Menu.Popup aria-label={label} className={styles.popup} finalFocus={anchor}>
            {items.map((item, at) => (
              <MenuEntry key={'label' in item ? item.label : `line${at}`} item={item} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  </CSPProvider>
)

function MenuEntry({ item }: { item: MenuItem }) {
  if (item.kind === 'line') return <Menu.Separator className={styles.line} />
  if (item.kind === 'title') return <div className={styles.title}>{item.label}</div>
  if (item.kind === 'choice')
    return (
      <Menu.CheckboxItem
        checked={item.isChosen}
        onCheckedChange={item.run}
        closeOnClick={!item.staysOpen}
        className={styles.item}
      >
        <span className={styles.mark}>{item.isChosen && <Check size={14} />}</span>
        {item.label}
      </Menu.CheckboxItem>
    )
  return (
    <Menu.Item disabled={item.isDisabled} onClick={item.run} closeOnClick={!item.staysOpen} className={styles.item}>
      {item.icon}
      <span className={styles.label}>
        {item.label}
        {item.hint && <small className={styles.hint}>{item.hint}</small>}
      </span>
      {item.keys && <Kbd keys={item.keys} />}
    </Menu.Item>
  )
}
